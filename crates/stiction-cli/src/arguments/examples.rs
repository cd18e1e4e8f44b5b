//! Examples that the long helps end with.

pub(super) const EXPLAIN_EXAMPLES: &str = "Examples:
  stiction explain world.sdf
  stiction explain world.sdf --engine drake-discrete --all
  stiction explain world.sdf --pair box::link,ground_plane::link
  stiction explain physics.ode.solver.iters
  stiction explain kp
  stiction explain slip
  stiction explain 'why does it fall through the floor?' world.sdf
  stiction explain grasp --engine drake-discrete";

pub(super) const RUN_EXAMPLES: &str = "Examples:
  stiction run friction_pyramid --record out --record-rate 50 --plot out.svg --plot-of path,speed
  stiction run tower --record out --record-rate 100 --record-contacts
  stiction run world.sdf --fail-if 'height:cube::link<0.2' --fail-if 'slip:cube::link+belt::link>1mm/s'
  stiction run robot.sdf --duration 2 --json
  stiction run world.sdf crate.sdf=box1@0,0,1 --set 'model.box1.link.*.collision.*.surface.friction.ode.mu=0.2'
  stiction run robot.urdf --fixed-base --command arm::elbow:position=0.5 --command inputs.csv
  stiction run robot.urdf --fixed-base --command 'elbow:position=0.5' --coordinates reduced
  stiction run world.sdf --engine drake-discrete --set contact.stiction_tolerance=1e-4
  stiction run robot.body --materials materials.yaml --set material.rubber.roughness=1.2
  stiction run world.sdf --force 'box::link=0,0,100@0.5..0.6' --final-state end.json";

pub(super) const COMPARE_EXAMPLES: &str = "Examples:
  stiction compare tower
  stiction compare world.sdf --engines ode-world,ode-quick,drake-discrete --duration 2 --html report.html
  stiction compare world.sdf --case few=physics.ode.solver.iters=5 --case many=physics.ode.solver.iters=200 --plot out.svg
  stiction compare world.sdf --with file,half --case half=step-size=0.0005 --time-limit 20
  stiction compare world.sdf --case 'a=model.box.link.*.collision.*.surface.friction.ode.mu=0.2,engine=ode-world' --with file,a";

pub(super) const CHECK_EXAMPLES: &str = "Examples:
  stiction check world.sdf
  stiction check world.sdf --allow quick-solver --allow large-friction
  stiction check world.sdf --fix
  stiction check world.sdf --engine drake-continuous --set integrator.error_control=off
  stiction check models/*/model.sdf --format sarif > findings.sarif";
