/* SPDX-License-Identifier: MIT */
/* The bakery of models/murphi/bakery.m in Promela, for measurements beside SPIN (./dev bench ram d).
 *
 * One Murphi rule is one step: a d_step with its guard in front. The stage of a process is a variable, as in Murphi,
 * since the invariants look at it; every process stays at one place. Processes and cursors count from 0, not from 1.
 * The monitor never moves unless an invariant fails, so it adds no states: it makes SPIN evaluate in every state what
 * Murphi evaluates there.
 *
 * States: as in Murphi (pan without partial order reduction; tests/models/promela.sh compares).
 * expect: states=351
 * expect: states=12454 options=-DN=3
 */
#ifndef N
#define N 2
#endif
#ifndef MAX_TICKET
#define MAX_TICKET 3
#endif

mtype = { Idle, Scanning, WaitDoorway, WaitTicket, Critical };

mtype stage[N] = Idle;
bool choosing[N];
byte ticket[N];   /* 0: no ticket */
byte cursor[N];   /* the process to be looked at next */
byte highest[N];  /* the highest ticket seen in the scan */

/* Does process p stand before process q in the queue? */
#define STANDS_BEFORE(p, q) (ticket[p] < ticket[q] || (ticket[p] == ticket[q] && p < q))

active [N] proctype process()
{
  do
  :: d_step { stage[_pid] == Idle -> choosing[_pid] = true; stage[_pid] = Scanning }
  :: d_step { stage[_pid] == Scanning && cursor[_pid] < N ->
       if
       :: ticket[cursor[_pid]] > highest[_pid] -> highest[_pid] = ticket[cursor[_pid]]
       :: else
       fi;
       cursor[_pid]++
     }
  :: d_step { stage[_pid] == Scanning && cursor[_pid] == N ->
       if
       :: highest[_pid] < MAX_TICKET -> ticket[_pid] = highest[_pid] + 1; stage[_pid] = WaitDoorway
       :: else -> stage[_pid] = Idle
       fi;
       choosing[_pid] = false;
       highest[_pid] = 0;
       cursor[_pid] = 0
     }
  :: d_step { stage[_pid] == WaitDoorway && cursor[_pid] < N && !choosing[cursor[_pid]] -> stage[_pid] = WaitTicket }
  :: d_step { stage[_pid] == WaitTicket && (ticket[cursor[_pid]] == 0 || !STANDS_BEFORE(cursor[_pid], _pid)) ->
       cursor[_pid]++;
       stage[_pid] = WaitDoorway
     }
  :: d_step { stage[_pid] == WaitDoorway && cursor[_pid] == N -> cursor[_pid] = 0; stage[_pid] = Critical }
  :: d_step { stage[_pid] == Critical -> ticket[_pid] = 0; stage[_pid] = Idle }
  od
}

/* Mutual exclusion; and the one served stands before all who hold a ticket and have looked. */
#define BAD(p, q) \
  (p < N && q < N && p != q && stage[(p) % N] == Critical && \
   (stage[(q) % N] == Critical || \
    (stage[(q) % N] == WaitTicket && cursor[(q) % N] > p && !STANDS_BEFORE((p) % N, (q) % N))))
#define BAD_AT(p) (BAD(p, 0) || BAD(p, 1) || BAD(p, 2) || BAD(p, 3) || BAD(p, 4))

#if N > 5
#error "the invariants are written out for at most five processes"
#endif

active proctype monitor()
{
  d_step { BAD_AT(0) || BAD_AT(1) || BAD_AT(2) || BAD_AT(3) || BAD_AT(4) -> assert(false) }
}
