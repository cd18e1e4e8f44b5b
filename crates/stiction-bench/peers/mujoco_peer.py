"""Steps a scene with MuJoCo: a JSON request a line comes in, a JSON answer a line goes out.

All steps of a run are one call, so that Python takes no part in the time.
"""

import json
import sys
import time

import mujoco


def energy(model, data):
    """Of the present positions and velocities; the steps themselves do without."""
    mujoco.mj_forward(model, data)
    mujoco.mj_energyPos(model, data)
    mujoco.mj_energyVel(model, data)
    return float(data.energy[0] + data.energy[1])


def run(request):
    model = mujoco.MjModel.from_xml_path(request["file"])
    data = mujoco.MjData(model)
    before = energy(model, data)
    steps = round(request["duration"] / request["step"])
    start = time.process_time()
    mujoco.mj_step(model, data, steps)
    seconds = time.process_time() - start
    after = energy(model, data)
    poses = [[*data.body(name).xpos, *data.body(name).xquat] for name in request["links"]]
    return {"seconds": seconds, "poses": poses, "energy": [before, after]}


print(json.dumps(f"MuJoCo {mujoco.__version__}"), flush=True)
for line in sys.stdin:
    print(json.dumps(run(json.loads(line))), flush=True)
