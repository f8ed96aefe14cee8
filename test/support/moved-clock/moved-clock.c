// A library for LD_PRELOAD: adds TERCE_MOVED_CLOCK seconds to the wall clock of a process and of every process that it starts.
// The monotonic clock and the times of files stay true. Not libfaketime: workerd deadlocks with it at the start, and a child
// that gets an environment of its own, as most in the tests, would be at the true time.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

/** A deadline after it is one of the wall clock: a monotonic clock begins with the machine. */
#define YEAR_2001 1000000000

static time_t seconds;
/** The entries of the environment that move the clock of a child. */
static char preload[4096], moved[64];

static int (*real_clock_gettime)(clockid_t, struct timespec *);
static int (*real_sem_timedwait)(sem_t *, const struct timespec *);
static int (*real_cond_timedwait)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
static int (*real_execve)(const char *, char *const[], char *const[]);
static int (*real_execvpe)(const char *, char *const[], char *const[]);

__attribute__((constructor)) static void start(void) {
  const char *offset = getenv("TERCE_MOVED_CLOCK"), *library = getenv("LD_PRELOAD");
  if (offset == NULL || library == NULL) return;
  seconds = atol(offset);
  snprintf(moved, sizeof moved, "TERCE_MOVED_CLOCK=%s", offset);
  snprintf(preload, sizeof preload, "LD_PRELOAD=%s", library);
  real_sem_timedwait = dlsym(RTLD_NEXT, "sem_timedwait");
  real_cond_timedwait = dlsym(RTLD_NEXT, "pthread_cond_timedwait");
  real_execve = dlsym(RTLD_NEXT, "execve");
  real_execvpe = dlsym(RTLD_NEXT, "execvpe");
  real_clock_gettime = dlsym(RTLD_NEXT, "clock_gettime");
}

int clock_gettime(clockid_t id, struct timespec *now) {
  // An allocator reads the clock before the constructor has run.
  int failed = real_clock_gettime ? real_clock_gettime(id, now) : (int)syscall(SYS_clock_gettime, id, now);
  if (!failed && (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE)) now->tv_sec += seconds;
  return failed;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  struct timespec read;
  (void)zone;
  clock_gettime(CLOCK_REALTIME, &read);
  now->tv_sec = read.tv_sec;
  now->tv_usec = read.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *now) {
  struct timespec read;
  clock_gettime(CLOCK_REALTIME, &read);
  if (now != NULL) *now = read.tv_sec;
  return read.tv_sec;
}

/** The kernel compares a deadline with the true time. */
static struct timespec to_true(const struct timespec *deadline) {
  struct timespec result = *deadline;
  if (result.tv_sec > YEAR_2001) result.tv_sec -= seconds;
  return result;
}

int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict deadline) {
  struct timespec until = to_true(deadline);
  return real_sem_timedwait(semaphore, &until);
}

int pthread_cond_timedwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex,
                           const struct timespec *restrict deadline) {
  struct timespec until = to_true(deadline);
  return real_cond_timedwait(condition, mutex, &until);
}

typedef int (*exec_function)(const char *, char *const[], char *const[]);

/** Adds what a new environment lacks. Without malloc: runs between fork and exec of a process with threads. */
static int exec_moved(exec_function exec, const char *file, char *const args[], char *const env[]) {
  size_t count = 0;
  int is_moved = 0;
  for (; env != NULL && env[count] != NULL; count++)
    if (strncmp(env[count], "TERCE_MOVED_CLOCK=", 18) == 0) is_moved = 1;
  if (is_moved) return exec(file, args, env);
  char *entries[count + 3];
  if (count > 0) memcpy(entries, env, count * sizeof *entries);
  entries[count] = preload;
  entries[count + 1] = moved;
  entries[count + 2] = NULL;
  return exec(file, args, entries);
}

int execve(const char *file, char *const args[], char *const env[]) {
  return exec_moved(real_execve, file, args, env);
}

int execvp(const char *file, char *const args[]) { return exec_moved(real_execvpe, file, args, environ); }
