"""Steps a scene with Drake: a JSON request a line comes in, a JSON answer a line goes out.

Only `AdvanceTo` is timed; a plant is built anew for each request, so that every run starts cold.
"""

import json
import os
import sys
import time
from importlib.metadata import version

# Idle threads of BLAS would count as Drake's time on the core.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from pydrake.multibody.math import SpatialVelocity
from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import AddMultibodyPlant, MultibodyPlantConfig
from pydrake.systems.analysis import ApplySimulatorConfig, Simulator, SimulatorConfig
from pydrake.systems.framework import DiagramBuilder


def run(request):
    builder = DiagramBuilder()
    config = MultibodyPlantConfig(
        time_step=0.0 if request["continuous"] else request["step"],
        contact_model="point",
        discrete_contact_approximation="tamsi",
        stiction_tolerance=request["stiction_tolerance"],
    )
    plant, _ = AddMultibodyPlant(config, builder)
    Parser(plant).AddModels(request["file"])
    plant.Finalize()
    diagram = builder.Build()
    simulator = Simulator(diagram)
    ApplySimulatorConfig(
        SimulatorConfig(
            integration_scheme="runge_kutta3",
            max_step_size=request["step"],
            accuracy=request["accuracy"],
            use_error_control=True,
        ),
        simulator,
    )
    context = plant.GetMyMutableContextFromRoot(simulator.get_mutable_context())
    for name, v in request["velocities"]:
        plant.SetFreeBodySpatialVelocity(
            plant.GetBodyByName(name), SpatialVelocity(w=np.array(v[3:]), v=np.array(v[:3])), context
        )
    simulator.Initialize()
    start = time.process_time()
    simulator.AdvanceTo(request["duration"])
    seconds = time.process_time() - start
    poses = []
    for name in request["links"]:
        pose = plant.EvalBodyPoseInWorld(context, plant.GetBodyByName(name))
        poses.append([*pose.translation(), *pose.rotation().ToQuaternion().wxyz()])
    return {"seconds": seconds, "poses": poses, "energy": [0.0, 0.0]}


print(json.dumps(f"Drake {version('drake')}"), flush=True)
for line in sys.stdin:
    print(json.dumps(run(json.loads(line))), flush=True)
