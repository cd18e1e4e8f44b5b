/* The whole interface. */
#ifndef STICTION_ODE_ODE_H
#define STICTION_ODE_ODE_H

#include <ode/odeconfig.h>
#include <ode/common.h>
#include <ode/compatibility.h>
#include <ode/odeinit.h>
#include <ode/contact.h>
#include <ode/error.h>
#include <ode/memory.h>
#include <ode/odemath.h>
#include <ode/matrix.h>
#include <ode/matrix_coop.h>
#include <ode/timer.h>
#include <ode/rotation.h>
#include <ode/mass.h>
#include <ode/misc.h>
#include <ode/objects.h>
#include <ode/collision_space.h>
#include <ode/collision.h>
#include <ode/threading.h>
#include <ode/threading_impl.h>
#include <ode/cooperative.h>
#include <ode/export-dif.h>
#include <ode/version.h>

#ifdef __cplusplus
#include <ode/odecpp.h>
#include <ode/odecpp_collision.h>
#endif

#endif
