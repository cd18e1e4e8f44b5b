"""Joints, stops, motors, contact modes, geoms and spaces through Debian's Python module for ODE; prints where everything is."""
import math

import ode


def show(label, *values):
    flat = []
    for value in values:
        flat.extend(value if isinstance(value, (tuple, list)) else [value])
    print(label, *("%.10g" % x for x in flat))


def body(world, mass=1.0, at=(0, 0, 0)):
    b = ode.Body(world)
    m = ode.Mass()
    m.setBoxTotal(mass, 1.0, 0.8, 0.6)
    b.setMass(m)
    b.setPosition(at)
    return b


def joints():
    kinds = [ode.BallJoint, ode.HingeJoint, ode.SliderJoint, ode.UniversalJoint, ode.Hinge2Joint, ode.FixedJoint, ode.AMotor,
             ode.LMotor, ode.Plane2DJoint]
    for quick in (False, True):
        for kind in kinds:
            world = ode.World()
            world.setGravity((0.3, 0, -9.81))
            world.setQuickStepNumIterations(15)
            a, b = body(world, 2.0, (0, 0, 1)), body(world, 1.0, (0.7, 0.2, 1.1))
            a.setAngularVel((0.1, 0.2, 0.3))
            b.setLinearVel((0, 0.5, 0))
            anchor = ode.BallJoint(world)
            anchor.attach(a, ode.environment)
            anchor.setAnchor((0, 0, 1.5))
            j = kind(world)
            j.setFeedback()
            if kind is ode.Plane2DJoint:
                j.attach(b, ode.environment)
                j.setXParam(ode.ParamVel, 1)
                j.setXParam(ode.ParamFMax, 3)
            else:
                j.attach(a, b)
            reading = lambda: ()
            if kind is ode.BallJoint:
                j.setAnchor((0.4, 0.1, 1))
                reading = lambda: j.getAnchor2()
            elif kind is ode.HingeJoint:
                j.setAnchor((0.4, 0.1, 1))
                j.setAxis((0, 1, 0.2))
                j.setParam(ode.ParamLoStop, -0.4)
                j.setParam(ode.ParamHiStop, 0.4)
                j.setParam(ode.ParamBounce, 0.5)
                j.addTorque(0.2)
                reading = lambda: (j.getAngle(), j.getAngleRate())
            elif kind is ode.SliderJoint:
                j.setAxis((1, 0.3, 0))
                j.setParam(ode.ParamVel, 0.7)
                j.setParam(ode.ParamFMax, 5)
                j.setParam(ode.ParamHiStop, 0.2)
                j.setParam(ode.ParamLoStop, -0.2)
                reading = lambda: (j.getPosition(), j.getPositionRate())
            elif kind is ode.UniversalJoint:
                j.setAnchor((0.4, 0.1, 1))
                j.setAxis1((1, 0, 0))
                j.setAxis2((0, 1, 0))
                j.setParam(ode.ParamFMax2, 2)
                j.setParam(ode.ParamVel2, 1)
                reading = lambda: (j.getAngle1(), j.getAngle2())
            elif kind is ode.Hinge2Joint:
                j.setAnchor((0.4, 0.1, 1))
                j.setAxis1((0, 0, 1))
                j.setAxis2((0, 1, 0))
                j.setParam(ode.ParamSuspensionERP, 0.4)
                j.setParam(ode.ParamSuspensionCFM, 0.02)
                j.setParam(ode.ParamVel2, 5)
                j.setParam(ode.ParamFMax2, 2)
                reading = lambda: (j.getAngle1(), j.getAngle1Rate(), j.getAngle2Rate())
            elif kind is ode.FixedJoint:
                j.setFixed()
            elif kind is ode.AMotor:
                j.setMode(ode.AMotorEuler)
                j.setAxis(0, 1, (1, 0, 0))
                j.setAxis(2, 2, (0, 0, 1))
                j.setParam(ode.ParamFMax, 0.5)
                j.setParam(ode.ParamVel, 1)
                reading = lambda: (j.getAngle(0), j.getAngle(1), j.getAngle(2))
            elif kind is ode.LMotor:
                j.setNumAxes(1)
                j.setAxis(0, 0, (1, 0, 0))
                j.setParam(ode.ParamVel, 1)
                j.setParam(ode.ParamFMax, 2)
            for n in range(60):
                if n % 20 == 0:
                    show("%s %s" % (kind.__name__, quick), a.getPosition(), b.getPosition(), b.getQuaternion(), b.getAngularVel(),
                         reading())
                if quick:
                    world.quickStep(0.01)
                else:
                    world.step(0.01)


def contacts():
    modes = [0, ode.ContactApprox1, ode.ContactBounce, ode.ContactSoftCFM | ode.ContactSoftERP,
             ode.ContactMu2 | ode.ContactFDir1 | ode.ContactApprox1, ode.ContactMotion1 | ode.ContactFDir1,
             ode.ContactSlip1 | ode.ContactSlip2 | ode.ContactApprox1]
    spaces = [ode.SimpleSpace, ode.HashSpace, lambda: ode.QuadTreeSpace((100, 100, 0), (20, 20, 20), 3), lambda: ode.SAPSpace(None, 36)]
    for mode in modes:
        for number, make in enumerate(spaces):
            world = ode.World()
            world.setGravity((0.5, 0.2, -9.81))
            space = make()
            plane = ode.GeomPlane(space, (0, 0, 1), 0)
            held = [plane]
            bodies = []
            for i, shape in enumerate([lambda s: ode.GeomSphere(s, 0.3), lambda s: ode.GeomBox(s, (0.5, 0.6, 0.4)),
                                       lambda s: ode.GeomCapsule(s, 0.2, 0.5), lambda s: ode.GeomSphere(s, 0.25)]):
                b = body(world, 1.0 + 0.2 * i, (100 + 2.0 * i, 100, 0.6 + 0.1 * i))
                g = shape(space)
                g.setBody(b)
                b.setLinearVel((0.5, 0, 0))
                bodies.append(b)
                held.append(g)
            group = ode.JointGroup()

            def near(_, first, second):
                for c in ode.collide(first, second):
                    c.setMode(mode)
                    c.setMu(0.6)
                    c.setMu2(0.2)
                    c.setBounce(0.4)
                    c.setBounceVel(0.1)
                    c.setSoftERP(0.3)
                    c.setSoftCFM(1e-3)
                    c.setFDir1((1, 0, 0))
                    c.setMotion1(0.3)
                    c.setSlip1(0.02)
                    c.setSlip2(0.05)
                    j = ode.ContactJoint(world, group, c)
                    j.attach(first.getBody(), second.getBody())

            for n in range(80):
                if n % 40 == 39:
                    for i, b in enumerate(bodies):
                        show("contact %d %d %d" % (mode, number, i), b.getPosition(), b.getLinearVel(), b.getAngularVel())
                space.collide(None, near)
                world.quickStep(0.01)
                group.empty()


def geoms():
    space = ode.SimpleSpace()
    box = ode.GeomBox(space, (1, 2, 3))
    box.setPosition((0.5, 0.2, 0.1))
    show("box", box.getLengths(), box.getAABB(), box.pointDepth((0.5, 0.2, 1)))
    capsule = ode.GeomCapsule(space, 0.3, 1)
    capsule.setQuaternion((math.cos(0.3), 0, math.sin(0.3), 0))
    show("capsule", capsule.getAABB(), capsule.pointDepth((0, 0, 0.1)))
    ray = ode.GeomRay(space, 10)
    ray.set((0, 0, 5), (0, 0, -1))
    for g in (ode.GeomSphere(space, 1), ode.GeomBox(space, (1, 1, 1)), ode.GeomPlane(space, (0, 0, 1), -1),
              ode.GeomCylinder(space, 0.4, 2)):
        for c in ode.collide(ray, g):
            position, normal, depth, _, _ = c.getContactGeomParams()
            show("ray %s" % type(g).__name__, position, [abs(x) for x in normal], depth)
    heights = ode.HeightfieldData()
    heights.build_callback(None, lambda _, x, z: 0.1, 4, 4, 9, 9, 1, 0, 1, 0)
    heights.setBounds(0, 0.2)
    field = ode.GeomHeightfield(heights, 1, space)
    ball = ode.GeomSphere(space, 0.5)
    ball.setPosition((0.3, 0.55, -0.2))
    for c in ode.collide(ball, field):
        position, normal, depth, _, _ = c.getContactGeomParams()
        show("field", position, normal, depth, field.getAABB())
    transform = ode.GeomTransform(space)
    inner = ode.GeomSphere(None, 0.5)
    inner.setPosition((1, 0, 0))
    transform.setGeom(inner)
    show("transform", transform.getAABB())
    print("spaces", [type(s).__name__ for s in (ode.SimpleSpace(), ode.HashSpace(), ode.SAPSpace(None, 36))], space.getNumGeoms())


ode.InitODE()
joints()
contacts()
geoms()
