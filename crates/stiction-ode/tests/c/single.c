/* With -DdSINGLE and a library of that precision: a ball falls on a plane. */
#include <math.h>
#include <ode/ode.h>
#include <stdio.h>

static dWorldID w;
static dJointGroupID group;
static void touch(void *data, dGeomID p, dGeomID q)
{
    dContact contact[4];
    int i, n = dCollide(p, q, 4, &contact[0].geom, sizeof contact[0]);
    (void)data;
    for (i = 0; i < n; i++) {
        contact[i].surface.mode = 0;
        contact[i].surface.mu = 1;
        dJointAttach(dJointCreateContact(w, group, &contact[i]), dGeomGetBody(p), dGeomGetBody(q));
    }
}

int main(void)
{
    dSpaceID s;
    dBodyID b;
    dGeomID g;
    int i;
    dInitODE();
    w = dWorldCreate();
    s = dSimpleSpaceCreate(0);
    group = dJointGroupCreate(0);
    b = dBodyCreate(w);
    g = dCreateSphere(s, 0.5f);
    dGeomSetBody(g, b);
    dBodySetPosition(b, 0, 0, 1);
    dWorldSetGravity(w, 0, 0, REAL(-9.81));
    dCreatePlane(s, 0, 0, 1, 0);
    for (i = 0; i < 200; i++) {
        dSpaceCollide(s, 0, touch);
        if (i % 2) dWorldStep(w, REAL(0.01));
        else dWorldQuickStep(w, REAL(0.01));
        dJointGroupEmpty(group);
    }
    printf("%d %s %.3f\n", (int)sizeof(dReal), dGetConfiguration(), (double)dBodyGetPosition(b)[2]);
    return sizeof(dReal) == 4 && dCheckConfiguration("ODE_single_precision") && fabs(dBodyGetPosition(b)[2] - 0.5) < 0.01 ? 0 : 1;
}
