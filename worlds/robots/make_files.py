#!/usr/bin/env python3
"""Writes the mesh, the images, the URDF and the command tables of the worlds in this folder (standard library only).

The worlds themselves are written by hand.
"""

import math
import pathlib
import struct
import zlib

HERE = pathlib.Path(__file__).parent


def png16(name, size, height):
    """A grey image of 16 bits; `height(x, y)` in 0..1 with x to the right and y up, both in -1..1."""
    rows = []
    for row in range(size):
        y = 1 - 2 * row / (size - 1)
        line = [height(2 * column / (size - 1) - 1, y) for column in range(size)]
        rows.append(b"\0" + b"".join(struct.pack(">H", round(65535 * h)) for h in line))
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    header = struct.pack(">IIBBBBB", size, size, 16, 0, 0, 0, 0)
    data = zlib.compress(b"".join(rows), 9)
    (HERE / name).write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b""))


def table(name, columns, rows):
    lines = [",".join(["time"] + columns)]
    lines += [",".join(f"{v:.5f}".rstrip("0").rstrip(".") or "0" for v in row) for row in rows]
    (HERE / name).write_text("\n".join(lines) + "\n")


def smooth(t):
    """From 0 to 1 with rates and accelerations of 0 at both ends (minimum jerk)."""
    t = min(max(t, 0.0), 1.0)
    return t ** 3 * (10 - 15 * t + 6 * t * t)


# The mug: a wall turned about z, with a handle of four sides that begins and ends in two faces of the wall.
def mug():
    parts, vertices, faces = 24, [], []
    # Radius and height along the outline, from the middle below, up outside, down inside.
    outline = [(0.034, 0.0), (0.04, 0.006), (0.04, 0.025), (0.04, 0.04), (0.04, 0.065), (0.04, 0.08), (0.04, 0.1),
               (0.036, 0.1), (0.036, 0.006)]
    for radius, height in outline:
        for k in range(parts):
            a = 2 * math.pi * (k + 0.5) / parts
            vertices.append((radius * math.cos(a), radius * math.sin(a), height))
    def at(row, k):
        return row * parts + k % parts
    holes = (2, 4)  # Rows of faces at the handle, between k = parts - 1 and 0, where x is largest.
    for row in range(len(outline) - 1):
        for k in range(parts):
            if not (row in holes and k == parts - 1):
                faces.append((at(row, k), at(row, k + 1), at(row + 1, k + 1), at(row + 1, k)))
    faces.append(tuple(at(0, k) for k in reversed(range(parts))))
    faces.append(tuple(at(len(outline) - 1, k) for k in range(parts)))
    # The handle: an arc in the plane of x and z from the lower face to the upper one.
    low = [at(2, parts - 1), at(2, 0), at(3, 0), at(3, parts - 1)]
    high = [at(4, parts - 1), at(4, 0), at(5, 0), at(5, parts - 1)]
    half, thick, middle, reach = 0.0052, 0.0035, 0.0525, 0.0265
    rings = [low]
    steps = 10
    for step in range(1, steps):
        a = -math.pi / 2 + math.pi * step / steps
        x, z = 0.043 + reach * math.cos(a), middle + 0.024 * math.sin(a)
        out = (math.cos(a), math.sin(a))
        ring = []
        # Outside first at the lower end: the lower edge of the face goes to the outside of the arc.
        for side, over in ((-1, 1), (1, 1), (1, -1), (-1, -1)):
            ring.append(len(vertices))
            vertices.append((x + over * thick * out[0], side * half, z + over * thick * out[1]))
        rings.append(ring)
    rings.append([high[3], high[2], high[1], high[0]])
    for below, above in zip(rings, rings[1:]):
        for k in range(4):
            n = (k + 1) % 4
            faces.append((below[k], below[n], above[n], above[k]))
    text = ["# A mug of 8 cm by 10 cm [m]; made by make_files.py", "o mug"]
    text += [f"v {x:.6f} {y:.6f} {z:.6f}" for x, y, z in vertices]
    text += ["f " + " ".join(str(i + 1) for i in face) for face in faces]
    (HERE / "mug.obj").write_text("\n".join(text) + "\n")


# The arm: shoulder at (0, 0.6), links of 0.35 m and 0.3 m in the plane of x and z, a level hand.
def arm():
    def angles(x, z):
        """Shoulder, elbow and wrist about y (positive is down) with the wrist at x, z and the elbow up."""
        a, b, z = 0.35, 0.3, z - 0.6
        d = math.hypot(x, z)
        elbow = math.acos((d * d - a * a - b * b) / (2 * a * b))
        shoulder = -math.atan2(z, x) - math.acos((d * d + a * a - b * b) / (2 * a * d))
        return shoulder, elbow, -shoulder - elbow
    # The zero position of the joints is that at the start.
    start = angles(0.36, 0.455)
    rows = []
    for k in range(121):
        t = k / 20
        x = 0.36 + 0.11 * smooth((t - 0.2) / 1.3)
        z = 0.455 + 0.13 * smooth((t - 2.5) / 2.0)
        finger = 0.022 * smooth((t - 1.6) / 0.5)
        rows.append([t] + [q - q0 for q, q0 in zip(angles(x, z), start)] + [finger, finger])
    table("gripper.csv", [f"arm::{j}:position" for j in ("shoulder", "elbow", "wrist", "left", "right")], rows)
    print("arm at the start:", start)


def forklift():
    rows = []
    speed = [(0, 0), (0.5, 0), (1.5, 0.5), (3.5, 0.5), (4.5, 0), (8.5, 0), (9.5, -0.5), (11.5, -0.5), (12.5, 0), (14, 0)]
    lift = [(0, 0), (5, 0), (8, 0.3), (14, 0.3)]
    def along(points, t):
        for (t0, v0), (t1, v1) in zip(points, points[1:]):
            if t <= t1:
                return v0 + (v1 - v0) * (t - t0) / (t1 - t0)
        return points[-1][1]
    for t in sorted({t for t, _ in speed + lift}):
        rows.append([t, along(speed, t), along(lift, t)])
    table("forklift.csv", ["forklift:twist.vx", "forklift::lift:position"], rows)


LEGS = [("fl", 1, 1), ("fr", 1, -1), ("rl", -1, 1), ("rr", -1, -1)]
THIGH = SHANK = 0.2
STAND = 0.3


def quadruped():
    def inertial(mass, z, box):
        x, y, h = box
        return (f'<inertial><origin xyz="0 0 {z}"/><mass value="{mass}"/><inertia ixx="{mass * (y * y + h * h) / 12:.6f}" ixy="0" ixz="0" '
                f'iyy="{mass * (x * x + h * h) / 12:.6f}" iyz="0" izz="{mass * (x * x + y * y) / 12:.6f}"/></inertial>')
    def shape(z, box, kind="collision"):
        return f'<{kind}><origin xyz="0 0 {z}"/><geometry><box size="{box[0]} {box[1]} {box[2]}"/></geometry></{kind}>'
    # At zero the leg stands: thigh to the rear, shank to the front, the foot below the hip.
    bend = math.acos(STAND / (THIGH + SHANK))
    text = ['<?xml version="1.0"?>', "<!-- A quadruped of 12 joints, 11 kg; made by make_files.py -->", '<robot name="quadruped">']
    trunk = (0.46, 0.2, 0.1)
    text.append(f'  <link name="trunk">{inertial(6, 0, trunk)}{shape(0, trunk)}{shape(0, trunk, "visual")}</link>')
    plugins = []
    def joint(name, parent, child, xyz, rpy, axis, low, high, gain):
        text.append(f'  <joint name="{name}" type="revolute"><origin xyz="{xyz}" rpy="{rpy}"/><parent link="{parent}"/><child link="{child}"/>'
                    f'<axis xyz="{axis}"/><limit lower="{low}" upper="{high}" effort="60" velocity="25"/>'
                    '<dynamics damping="1.5" friction="0"/></joint>')
        plugins.append('    <plugin filename="gz-sim-joint-position-controller-system" name="gz::sim::systems::JointPositionController">'
                       f"<joint_name>{name}</joint_name><p_gain>{gain}</p_gain><i_gain>0</i_gain><d_gain>2</d_gain>"
                       "<cmd_max>60</cmd_max><cmd_min>-60</cmd_min></plugin>")
    for leg, front, left in LEGS:
        text.append(f'  <link name="{leg}_hip">{inertial(0.4, 0, (0.08, 0.08, 0.08))}</link>')
        text.append(f'  <link name="{leg}_thigh">{inertial(0.6, -THIGH / 2, (0.06, 0.06, THIGH))}{shape(-THIGH / 2, (0.04, 0.03, 0.14))}{shape(-THIGH / 2, (0.04, 0.03, 0.18), "visual")}</link>')
        foot = f'<{{0}}><origin xyz="0 0 {-SHANK}"/><geometry><sphere radius="0.025"/></geometry></{{0}}>'
        text.append(f'  <link name="{leg}_shank">{inertial(0.25, -SHANK / 2, (0.06, 0.06, SHANK))}{foot.format("collision")}{foot.format("visual")}{shape(-0.09, (0.025, 0.025, 0.14))}{shape(-0.09, (0.025, 0.025, 0.16), "visual")}</link>')
        joint(f"{leg}_abduction", "trunk", f"{leg}_hip", f"{front * 0.2} {left * 0.12} 0", "0 0 0", "1 0 0", -0.8, 0.8, 200)
        joint(f"{leg}_flexion", f"{leg}_hip", f"{leg}_thigh", f"0 {left * 0.06} 0", f"0 {bend:.9f} 0", "0 1 0", -1.5, 1.5, 200)
        joint(f"{leg}_knee", f"{leg}_thigh", f"{leg}_shank", f"0 0 {-THIGH}", f"0 {-2 * bend:.9f} 0", "0 1 0", -1.2, 1.2, 200)
    text.append("  <gazebo>")
    text += plugins
    text.append("  </gazebo>")
    for leg, _, _ in LEGS:
        text.append(f'  <gazebo reference="{leg}_shank"><mu1>0.9</mu1><mu2>0.9</mu2></gazebo>')
    text.append("</robot>")
    (HERE / "quadruped.urdf").write_text("\n".join(text) + "\n")

    def angles(x, z):
        """Flexion and knee from those at the stand, with the foot at x and z from the hip."""
        d = min(math.hypot(x, z), 0.999 * (THIGH + SHANK))
        half = math.acos(d / (2 * THIGH))
        return math.atan2(-x, -z) + half - bend, -2 * half + 2 * bend
    period, duty, stride, lift = 0.32, 0.6, 0.07, 0.04
    rows = []
    for k in range(501):
        t = k / 50
        row = [t]
        for leg, front, left in LEGS:
            start = 1.0
            share = smooth((t - start) / 1.0) * smooth((9.0 - t) / 1.0)
            phase = ((t - start) / period + (0.0 if front * left > 0 else 0.5)) % 1.0
            if phase < duty:
                x, z = stride * (0.5 - phase / duty), 0.0
            else:
                u = (phase - duty) / (1 - duty)
                x, z = stride * (smooth(u) - 0.5), lift * math.sin(math.pi * u) ** 2
            row += [0.0, *angles(share * x, -STAND + share * z)]
        rows.append(row)
    names = [f"quadruped::{leg}_{j}:position" for leg, _, _ in LEGS for j in ("abduction", "flexion", "knee")]
    table("quadruped.csv", names, rows)


def hills(x, y):
    """Smooth hills, from 0 to 1."""
    return 0.5 + 0.25 * math.sin(math.pi * (1.7 * x + 0.6 * y)) + 0.25 * math.cos(math.pi * (0.5 * x - 1.9 * y + 0.3))


def bumps(x, y):
    """Bumps of some wavelengths, level in the middle where the robot stands at first."""
    a = math.sin(17 * x + 3 * y) * math.cos(13 * y - 5 * x)
    b = math.sin(29 * x - 11 * y + 1) * math.sin(23 * y + 7 * x + 2)
    return 0.5 + 0.3 * a + 0.2 * b


if __name__ == "__main__":
    mug()
    arm()
    forklift()
    quadruped()
    png16("hills.png", 65, hills)
    png16("bumps.png", 129, bumps)
