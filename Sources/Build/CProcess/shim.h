// Wraps C that Swift cannot import: functions with variable arguments, the variable `stdout`, and `struct timeval`.
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/time.h>

/// Disables core dumps, and denies processes of the same user access to this process's memory.
///
/// Returns 0 on success.
static inline int baton_forbid_dumps(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

/// Sets the name of the calling thread, of which Linux keeps 15 bytes.
///
/// Returns 0 on success.
static inline int baton_name_thread(const char *name) { return prctl(PR_SET_NAME, name, 0, 0, 0); }

/// Sends SIGALRM to this process after the given number of seconds, unless an earlier call sends it sooner.
///
/// Returns 0 on success.
static inline int baton_set_alarm(double seconds) {
  struct itimerval timer;
  if (getitimer(ITIMER_REAL, &timer)) return -1;
  double left = timer.it_value.tv_sec + timer.it_value.tv_usec / 1e6;
  if (left > 0 && left <= seconds) return 0;
  timer.it_value.tv_sec = (time_t)seconds;
  timer.it_value.tv_usec = (suseconds_t)((seconds - (time_t)seconds) * 1e6);
  return setitimer(ITIMER_REAL, &timer, NULL);
}

/// Makes stdout line-buffered, even if stdout is a pipe or a file.
///
/// The call must precede the first output. Returns 0 on success.
static inline int baton_line_buffer_stdout(void) { return setvbuf(stdout, NULL, _IOLBF, 0); }

/// Flushes stdout, and returns 0 if all output so far was written.
static inline int baton_flush_stdout(void) { return fflush(stdout) || ferror(stdout); }
