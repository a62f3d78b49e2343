/* SPDX-License-Identifier: MIT */
/* The protocol of models/murphi/two_phase_commit.m in Promela, for measurements beside SPIN (./dev bench ram d).
 *
 * One Murphi rule is one step: a d_step with its guard in front. Participants and the coordinator stay at one place
 * each; their variables are those of the Murphi model, with sets of participants (told, up and the one-bit channels) as
 * bit masks, and channels of one place as array elements. The coordinator is the last process. The monitor never moves
 * unless an invariant fails, so it adds no states: it makes SPIN evaluate in every state what Murphi evaluates there.
 *
 * States: as in Murphi without symmetry (pan without partial order reduction; tests/models/promela.sh compares).
 * expect: states=865
 * expect: states=70149 options=-DN=3 -DCRASHES=2
 */
#ifndef N
#define N 2
#endif
#ifndef CRASHES
#define CRASHES 1
#endif
#define ALL ((1 << N) - 1)
#define ME (1 << _pid)

mtype = { Commit, Abort };                          /* outcomes; 0: undecided, no message */
mtype = { Yes, No };                                /* votes; 0: none */
mtype = { Preparing, Deciding, Done };              /* phases */
mtype = { Working, Prepared, Committed, Aborted };  /* a participant's log */

bool coordinator_up = true;
mtype phase = Preparing;
mtype coordinator_log;
mtype ballot[N];     /* votes received, lost in a crash */
byte told;           /* the outcome is known to be on the participant's log */
byte up = ALL;
mtype log[N] = Working;
byte crashes;

byte prepare = ALL;  /* channels */
mtype vote[N];
mtype outcome[N];
byte query;
byte acknowledged;

hidden byte i;  /* scratch within a d_step, not part of the state; a loop may not be the last statement of a d_step */

inline begin_transaction()
{
  coordinator_up = true;
  phase = Preparing;
  coordinator_log = 0;
  crashes = 0;
  told = 0;
  up = ALL;
  prepare = ALL;
  query = 0;
  acknowledged = 0;
  i = 0;
  do
  :: i == N -> break
  :: i != N -> ballot[i] = 0; log[i] = Working; vote[i] = 0; outcome[i] = 0; i++
  od;
  i = 0
}

inline decide(d)
{
  coordinator_log = d;
  phase = Deciding;
  i = 0;
  do
  :: i == N -> break
  :: i != N -> ballot[i] = 0; outcome[i] = d; i++
  od;
  i = 0
}

active [N] proctype participant()
{
  do
  :: d_step { (up & ME) && (prepare & ME) && log[_pid] == Working ->
       prepare = prepare & ~ME; log[_pid] = Prepared; vote[_pid] = Yes }
  :: d_step { (up & ME) && (prepare & ME) && log[_pid] == Working ->
       prepare = prepare & ~ME; log[_pid] = Aborted; vote[_pid] = No }
  :: d_step { (up & ME) && outcome[_pid] != 0 ->
       if
       :: outcome[_pid] == Commit -> assert(log[_pid] == Prepared || log[_pid] == Committed); log[_pid] = Committed
       :: else -> assert(log[_pid] != Committed); log[_pid] = Aborted
       fi;
       outcome[_pid] = 0;
       prepare = prepare & ~ME;
       acknowledged = acknowledged | ME
     }
  :: d_step { (up & ME) && crashes < CRASHES && !(told & ME) -> up = up & ~ME; crashes++ }
  :: d_step { !(up & ME) ->
       up = up | ME;
       if
       :: log[_pid] == Working -> log[_pid] = Aborted; prepare = prepare & ~ME; vote[_pid] = No
       :: log[_pid] == Prepared -> query = query | ME
       :: else
       fi
     }
  od
}

#define COLLECT_VOTE(p) \
  d_step { p < N && coordinator_up && vote[(p) % N] != 0 -> \
    if \
    :: phase == Preparing -> ballot[p] = vote[p] \
    :: else \
    fi; \
    vote[p] = 0 \
  }
#define ANSWER_QUERY(p) \
  d_step { coordinator_up && (query & (1 << p)) && phase != Preparing -> \
    query = query & ~(1 << p); outcome[p] = coordinator_log }
#define COLLECT_ACKNOWLEDGEMENT(p) \
  d_step { coordinator_up && phase == Deciding && (acknowledged & (1 << p)) -> \
    acknowledged = acknowledged & ~(1 << p); told = told | (1 << p) }

#define EVERY(array, value) (array[0] == value && array[1] == value && array[2 % N] == value && \
                             array[3 % N] == value && array[4 % N] == value)
#define SOME(array, value) (array[0] == value || array[1] == value || array[2 % N] == value || \
                            array[3 % N] == value || array[4 % N] == value)

#if N < 2 || N > 5
#error "written out for two to five participants"
#endif

active proctype coordinator()
{
  do
  :: COLLECT_VOTE(0)
  :: COLLECT_VOTE(1)
  :: COLLECT_VOTE(2)
  :: COLLECT_VOTE(3)
  :: COLLECT_VOTE(4)
  :: ANSWER_QUERY(0)
  :: ANSWER_QUERY(1)
  :: ANSWER_QUERY(2)
  :: ANSWER_QUERY(3)
  :: ANSWER_QUERY(4)
  :: COLLECT_ACKNOWLEDGEMENT(0)
  :: COLLECT_ACKNOWLEDGEMENT(1)
  :: COLLECT_ACKNOWLEDGEMENT(2)
  :: COLLECT_ACKNOWLEDGEMENT(3)
  :: COLLECT_ACKNOWLEDGEMENT(4)
  :: d_step { coordinator_up && phase == Preparing && EVERY(ballot, Yes) -> decide(Commit) }
  :: d_step { coordinator_up && phase == Preparing && SOME(ballot, No) -> decide(Abort) }
  :: d_step { coordinator_up && phase == Deciding && told == ALL -> phase = Done }
  :: d_step { coordinator_up && phase != Done && crashes < CRASHES ->
       coordinator_up = false;
       crashes++;
       told = 0;
       acknowledged = 0;
       i = 0;
       do
       :: i == N -> break
       :: i != N -> ballot[i] = 0; i++
       od;
       i = 0
     }
  :: d_step { !coordinator_up ->
       coordinator_up = true;
       if
       :: coordinator_log == 0 -> decide(Abort)
       :: else -> decide(coordinator_log)
       fi
     }
  :: d_step { phase == Done && up == ALL && query == 0 && EVERY(outcome, 0) && EVERY(vote, 0) -> begin_transaction() }
  od
}

/* All agree; a commit was decided before it was done; done means that everybody has ended. */
active proctype monitor()
{
  d_step {
    (SOME(log, Committed) && (SOME(log, Aborted) || coordinator_log != Commit)) ||
      (phase == Done && (SOME(log, Working) || SOME(log, Prepared))) -> assert(false)
  }
}
