/* SPDX-License-Identifier: MIT */
/* The lock of models/murphi/mcs_lock.m in Promela, for measurements beside SPIN (./dev bench ram d).
 *
 * One Murphi rule is one step: a single statement, or a d_step with its guard in front; a rule that tests and goes to
 * one of two stages is a pair of d_steps with opposite guards. The stage of a process is its place in the proctype. The
 * monitor never moves unless an invariant fails, so it adds no states: it makes SPIN evaluate in every state what
 * Murphi evaluates there. `inside` and `waiting` are functions of the places and add none either.
 *
 * States: as in Murphi without symmetry (pan without partial order reduction; tests/models/promela.sh compares).
 * expect: states=893
 * expect: states=15920 options=-DN=4
 */
#ifndef N
#define N 3
#endif
#define NONE 255  /* the null pointer; undefined in Murphi */

byte tail = NONE;
byte successor[N] = NONE;
bool locked[N];
byte inside;   /* processes at critical */
byte waiting;  /* processes neither at idle nor at swap */

active [N] proctype process()
{
  byte before = NONE;  /* what the swap returned */

idle:
  successor[_pid] = NONE;
swap:
  if
  :: d_step { tail == NONE -> tail = _pid; waiting++; inside++ }
     goto critical
  :: d_step { tail != NONE -> before = tail; tail = _pid; waiting++ }
  fi;
  locked[_pid] = true;
link:
  d_step { successor[before] = _pid; before = NONE };
spin:
  d_step { !locked[_pid] -> inside++ };
critical:
  inside--;
check_next:
  if
  :: successor[_pid] == NONE -> goto try_swing
  :: successor[_pid] != NONE -> goto hand_over
  fi;
try_swing:
  if
  :: d_step { tail == _pid -> tail = NONE; waiting-- }
     goto idle
  :: tail != _pid
  fi;
await_next:
  successor[_pid] != NONE;
hand_over:
  if  /* since a goto may not lead to a d_step itself */
  :: d_step { locked[successor[_pid]] = false; waiting-- }
  fi;
  goto idle
}

/* Mutual exclusion; and an empty queue means that nobody holds or awaits the lock. */
active proctype monitor()
{
  d_step { inside > 1 || (tail == NONE && waiting > 0) -> assert(false) }
}
