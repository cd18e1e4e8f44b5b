/* Stopwatches, and a timer of named stretches of code. */
#ifndef STICTION_ODE_TIMER_H
#define STICTION_ODE_TIMER_H

#include <ode/odeconfig.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A stopwatch: ticks so far, and when it was started. */
typedef struct dStopwatch {
    double time;
    unsigned long cc[2];
} dStopwatch;

/* functions: made from functions.tsv by `cargo xtask headers` */
/* Sets a stopwatch to zero. */
ODE_API void dStopwatchReset(dStopwatch *watch);
/* Starts a stopwatch. */
ODE_API void dStopwatchStart(dStopwatch *watch);
/* Stops a stopwatch; times between start and stop add up. */
ODE_API void dStopwatchStop(dStopwatch *watch);
/* Time of a stopwatch [s]. */
ODE_API double dStopwatchTime(dStopwatch *watch);
/* Starts a run of named stretches of code. */
ODE_API void dTimerStart(const char *name);
/* Ends a stretch and starts the next. */
ODE_API void dTimerNow(const char *name);
/* Ends the run. */
ODE_API void dTimerEnd(void);
/* Prints the stretches, and averages over the reports if asked. */
ODE_API void dTimerReport(FILE *file, int average);
/* Ticks of the timer [1/s]. */
ODE_API double dTimerTicksPerSecond(void);
/* Shortest time that can be told from none [s]. */
ODE_API double dTimerResolution(void);
/* end of functions */

#ifdef __cplusplus
}
#endif

#endif
