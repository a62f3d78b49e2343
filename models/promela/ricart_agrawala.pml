/* SPDX-License-Identifier: MIT */
/* The algorithm of models/murphi/ricart_agrawala.m in Promela, for measurements beside SPIN (./dev bench ram d).
 *
 * One Murphi rule is one step: a d_step with its guard in front. Promela has no multisets; since from one node to
 * another there is at most one request and one reply under way, the network is two matrices: the stamp of a request
 * (0: none; stamps begin at 1) and a flag for a reply. Sets of nodes are bit masks. Nodes count from 0, not from 1.
 * `requests` and `inside` are functions of the other variables. The monitor never moves unless the invariant fails, so
 * it adds no states; the second invariant of the Murphi model, a bound on the messages in the multiset, holds here by
 * the type of the matrix.
 *
 * States: as in Murphi (pan without partial order reduction; tests/models/promela.sh compares).
 * expect: states=5490
 * expect: states=83 options=-DN=2
 */
#ifndef N
#define N 3
#endif
#ifndef MAX_CLOCK
#define MAX_CLOCK 3
#endif
#define ALL ((1 << N) - 1)
#define HAS(set, m) ((set >> (m)) & 1)

mtype = { Idle, Waiting, Critical };

mtype stage[N] = Idle;
byte clock[N];
byte stamp[N];        /* of the node's own request; 0: none */
byte missing[N];      /* the nodes that owe this node a reply */
byte deferred[N];     /* the nodes that this node owes a reply */
byte request[N * N];  /* request[to * N + from]: the stamp */
byte reply[N];        /* reply[to]: the nodes whose reply is under way */
byte requests;        /* requests under way */
byte inside;          /* nodes in the critical section */
hidden byte i;        /* scratch within a d_step, not part of the state */

/* Node _pid receives the request of m: answered or deferred. */
#define RECEIVE_REQUEST(m) \
  d_step { m < N && request[_pid * N + (m) % N] > 0 -> \
    clock[_pid] = (request[_pid * N + m] > clock[_pid] -> request[_pid * N + m] : clock[_pid]); \
    if \
    :: stage[_pid] == Critical || (stage[_pid] == Waiting && (stamp[_pid] < request[_pid * N + m] || \
         (stamp[_pid] == request[_pid * N + m] && _pid < m))) -> deferred[_pid] = deferred[_pid] | (1 << m) \
    :: else -> reply[m] = reply[m] | (1 << _pid) \
    fi; \
    request[_pid * N + m] = 0; \
    requests-- \
  }

#define RECEIVE_REPLY(m) \
  d_step { HAS(reply[_pid], m) -> \
    assert(HAS(missing[_pid], m)); \
    missing[_pid] = missing[_pid] & ~(1 << m); \
    reply[_pid] = reply[_pid] & ~(1 << m) \
  }

#define NOBODY_IN(array) \
  (array[0] == 0 && array[1] == 0 && array[2 % N] == 0 && array[3 % N] == 0 && array[4 % N] == 0)
#define ALL_IDLE \
  (stage[0] == Idle && stage[1] == Idle && stage[2 % N] == Idle && stage[3 % N] == Idle && stage[4 % N] == Idle)

#if N < 2 || N > 5
#error "written out for two to five nodes"
#endif

active [N] proctype node()
{
  do
  :: d_step { stage[_pid] == Idle && clock[_pid] < MAX_CLOCK ->
       clock[_pid]++;
       stamp[_pid] = clock[_pid];
       missing[_pid] = ALL & ~(1 << _pid);
       i = 0;
       do
       :: i == N -> break
       :: i != N && i == _pid -> i++
       :: i != N && i != _pid -> request[i * N + _pid] = stamp[_pid]; requests++; i++
       od;
       stage[_pid] = Waiting
     }
  :: d_step { stage[_pid] == Waiting && missing[_pid] == 0 -> stage[_pid] = Critical; inside++ }
  :: d_step { stage[_pid] == Critical ->
       stage[_pid] = Idle;
       inside--;
       stamp[_pid] = 0;
       i = 0;
       do
       :: i == N -> break
       :: i != N && !HAS(deferred[_pid], i) -> i++
       :: i != N && HAS(deferred[_pid], i) -> reply[i] = reply[i] | (1 << _pid); i++
       od;
       deferred[_pid] = 0
     }
  :: RECEIVE_REQUEST(0)
  :: RECEIVE_REQUEST(1)
  :: RECEIVE_REQUEST(2)
  :: RECEIVE_REQUEST(3)
  :: RECEIVE_REQUEST(4)
  :: RECEIVE_REPLY(0)
  :: RECEIVE_REPLY(1)
  :: RECEIVE_REPLY(2)
  :: RECEIVE_REPLY(3)
  :: RECEIVE_REPLY(4)
  od
}

/* Sets the clocks back when all is quiet. */
active proctype quiet()
{
  do
  :: d_step { requests == 0 && NOBODY_IN(reply) && ALL_IDLE ->
       i = 0;
       do
       :: i == N -> break
       :: i != N -> clock[i] = 0; i++
       od;
       i = 0
     }
  od
}

active proctype monitor()
{
  d_step { inside > 1 -> assert(false) }
}
