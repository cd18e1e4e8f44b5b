//! Every plugin of the registry under every engine: its effect is seen, by a closed form, or `run` names what is left out.

use stiction_formats::plugins::{PluginRole, plugin_entries, plugin_of_system};
use stiction_formats::usage::limit_of_plugin;
use stiction_run::{Quantity, Subject};

use super::*;
use crate::common::ENGINES;

/// A scene with one plugin: what is measured after some time, and what it has to be.
struct Scene {
    text: String,
    commands: &'static [&'static str],
    duration: f64,
    found: fn(&Run) -> f64,
    expected: f64,
    slack: f64,
    /// What is measured where the engine leaves the effect out.
    without: f64,
}

fn scene(text: String, duration: f64, found: fn(&Run) -> f64, expected: f64, slack: f64) -> Scene {
    Scene { text, commands: &[], duration, found, expected, slack, without: f64::NAN }
}

fn inertial(mass: f64, inertia: f64) -> String {
    format!(
        "<inertial><mass>{mass}</mass><inertia><ixx>{inertia}</ixx><iyy>{inertia}</iyy><izz>{inertia}</izz></inertia></inertial>"
    )
}

fn classic(file: &str, inner: &str) -> String {
    format!(r#"<plugin name="p" filename="{file}">{inner}</plugin>"#)
}

const SPIN: &str = r#"<plugin name="i" filename="libInitialVelocityPlugin.so"><linear>0 0 0</linear><angular>0 0 1</angular></plugin>"#;

/// Two rotors of 0.3 kg m² about z without gravity.
fn rotors(plugins: &str) -> String {
    let one = |name: &str, x: f64| {
        format!(
            r#"<link name="l{name}"><pose>{x} 0 0 0 0 0</pose>{}</link><joint name="{name}" type="revolute"><parent>world</parent><child>l{name}</child><axis><xyz>0 0 1</xyz></axis></joint>"#,
            inertial(1.0, 0.3)
        )
    };
    world("0 0 0", &format!(r#"<model name="m">{}{}{plugins}</model>"#, one("j", 0.0), one("k", 3.0)))
}

fn free(gravity: &str, mass: f64, plugins: &str) -> String {
    let link = format!(r#"<link name="l">{}</link>"#, inertial(mass, 1.0));
    world(gravity, &format!(r#"<model name="m"><pose>0 0 3 0 0 0</pose>{link}{plugins}</model>"#))
}

fn start_velocity(linear: &str) -> String {
    classic("libInitialVelocityPlugin.so", &format!("<linear>{linear}</linear><angular>0 0 0</angular>"))
}

/// A vehicle of 6 kg on four balls of 0.1 m at the corners of 0.6 by 0.4 m; the directions of their friction.
fn cart(fdir1: [&str; 4], plugin: &str) -> String {
    let base = format!(r#"<link name="base"><pose>0 0 0.1 0 0 0</pose>{}</link>"#, inertial(4.0, 0.08));
    let corners =
        [("left_front", 0.3, 0.2), ("right_front", 0.3, -0.2), ("left_rear", -0.3, 0.2), ("right_rear", -0.3, -0.2)];
    let wheels = corners.iter().zip(fdir1).map(|((name, x, y), fdir1)| {
        let mu2 = if fdir1.is_empty() { "1" } else { "0" };
        format!(
            r#"<link name="w{name}"><pose relative_to="base">{x} {y} 0 0 0 0</pose>{}<collision name="c"><geometry><sphere><radius>0.1</radius></sphere></geometry>
<surface><friction><ode><mu>1</mu><mu2>{mu2}</mu2>{fdir1}</ode></friction></surface></collision></link>
<joint name="{name}" type="revolute"><parent>base</parent><child>w{name}</child><axis><xyz>0 1 0</xyz></axis></joint>"#,
            inertial(0.5, 0.002)
        )
    });
    let wheels: String = wheels.collect();
    world("0 0 -9.8", &format!(r#"{}<model name="m">{base}{wheels}{plugin}</model>"#, ground()))
}

fn forward(run: &Run) -> f64 {
    velocity(run, "m::base").0.x
}

fn sideways(run: &Run) -> f64 {
    velocity(run, "m::base").0.y
}

fn along(run: &Run) -> f64 {
    velocity(run, "m::l").0.x
}

fn upward(run: &Run) -> f64 {
    velocity(run, "m::l").0.z
}

fn turning(run: &Run) -> f64 {
    velocity(run, "m::lj").1.z
}

fn angle(run: &Run) -> f64 {
    run.joint(Quantity::Angle, "m::j", 0).unwrap()
}

/// Seconds of the first event.
fn event(run: &Run) -> f64 {
    events(run).first().and_then(|event| event.split(' ').next()?.parse().ok()).unwrap_or(f64::NAN)
}

fn drive(plugin: String, commands: &'static [&'static str]) -> Scene {
    Scene { commands, ..scene(cart([""; 4], &plugin), 1.5, forward, 0.4, 0.02) }
}

const AHEAD: &[&str] = &["m:twist=0.4,0"];
const SIDES: &str = "<left_joint>left_front</left_joint><left_joint>left_rear</left_joint><right_joint>right_front</right_joint><right_joint>right_rear</right_joint>";

/// A box on a frictional shape, and what it stands on.
fn box_on(under: &str) -> String {
    let shape = r#"<collision name="c"><geometry><box><size>0.2 0.2 0.2</size></box></geometry></collision>"#;
    let load = format!(
        r#"<model name="load"><pose>0 0 0.2 0 0 0</pose><link name="l">{}{shape}</link></model>"#,
        inertial(1.0, 0.0067)
    );
    world("0 0 -9.8", &format!("{under}{load}"))
}

fn of_system(system: &str) -> Scene {
    let parts = [joints_and_drives, drives_and_belts, motions_and_wings, water_and_joints, holding];
    parts.iter().find_map(|part| part(system)).unwrap_or_else(|| panic!("no scene for `{system}`"))
}

fn joints_and_drives(system: &str) -> Option<Scene> {
    let servo = "<joint_name>j</joint_name>";
    Some(match system {
        "JointController" => scene(
            rotors(&sim(
                "joint-controller",
                "JointController",
                &format!("{servo}<initial_velocity>1</initial_velocity>"),
            )),
            0.2,
            turning,
            1.0,
            1e-3,
        ),
        "JointPositionController" => {
            let gains =
                "<p_gain>30</p_gain><i_gain>0</i_gain><d_gain>6</d_gain><initial_position>0.5</initial_position>";
            let plugin = sim("joint-position-controller", "JointPositionController", &format!("{servo}{gains}"));
            scene(rotors(&plugin), 1.5, angle, 0.5, 1e-3)
        }
        "JointTrajectoryController" => {
            let gains = "<position_p_gain>30</position_p_gain><position_d_gain>6</position_d_gain><initial_position>0.5</initial_position>";
            let plugin = sim("joint-trajectory-controller", "JointTrajectoryController", &format!("{servo}{gains}"));
            scene(rotors(&plugin), 1.5, angle, 0.5, 1e-3)
        }
        "JointControlPlugin" => {
            let inner = r#"<controller type="velocity"><joint>j</joint><target>1</target><pid_gains>5 0 0</pid_gains></controller>"#;
            // 0.3 ω̇ = 5 (1 − ω)
            let expected = 1.0 - (-5.0_f64 * 0.1 / 0.3).exp();
            scene(rotors(&classic("libJointControlPlugin.so", inner)), 0.1, turning, expected, 0.02)
        }
        "CartDemoPlugin" => {
            // For 10 s it only steers.
            let steer =
                "<steer>j</steer><steer_pid>30 0 6</steer_pid><steer_pos>0.5</steer_pos><steer_eff>100</steer_eff>";
            let inner = format!("{steer}<right>k</right><left>k</left>");
            scene(rotors(&classic("libCartDemoPlugin.so", &inner)), 1.5, angle, 0.5, 1e-3)
        }
        "SpringTestPlugin" => {
            let inner = "<joint_explicit>j</joint_explicit><kp_explicit>30</kp_explicit><joint_implicit>k</joint_implicit><kp_implicit>30</kp_implicit>";
            // ω = √(30/0.3): turned around after half a period.
            let both = |run: &Run| 0.5 * (velocity(run, "m::lj").1.z + velocity(run, "m::lk").1.z);
            scene(
                rotors(&format!("{SPIN}{}", classic("libSpringTestPlugin.so", inner))),
                std::f64::consts::PI / 10.0,
                both,
                -1.0,
                0.1,
            )
        }
        "GravityCompensationPlugin" => {
            let plugin = classic("libGravityCompensationPlugin.so", "");
            let link = inertial(1.0, 0.1).replace("<mass>", "<pose>1 0 0 0 0 0</pose><mass>");
            let model = format!(
                r#"<model name="m"><link name="lj">{link}</link><joint name="j" type="revolute"><parent>world</parent><child>lj</child><axis><xyz>0 1 0</xyz></axis></joint>{plugin}</model>"#
            );
            scene(world("0 0 -9.8", &model), 0.5, angle, 0.0, 1e-3)
        }
        "DiffDrive" => drive(
            sim(
                "diff-drive",
                "DiffDrive",
                &format!("{SIDES}<wheel_separation>0.4</wheel_separation><wheel_radius>0.1</wheel_radius>"),
            ),
            AHEAD,
        ),
        "DiffDrivePlugin" => drive(classic("libDiffDrivePlugin.so", SIDES), AHEAD),
        _ => return None,
    })
}

fn drives_and_belts(system: &str) -> Option<Scene> {
    Some(match system {
        "gazebo_ros_diff_drive" => drive(
            classic(
                "libgazebo_ros_diff_drive.so",
                &format!("{SIDES}<wheel_separation>0.4</wheel_separation><wheel_diameter>0.2</wheel_diameter>"),
            ),
            AHEAD,
        ),
        "SkidSteerDrivePlugin" => drive(classic("libSkidSteerDrivePlugin.so", ""), AHEAD),
        "gazebo_ros_skid_steer_drive" => {
            let joints = "<leftFrontJoint>left_front</leftFrontJoint><leftRearJoint>left_rear</leftRearJoint><rightFrontJoint>right_front</rightFrontJoint><rightRearJoint>right_rear</rightRearJoint>";
            drive(
                classic(
                    "libgazebo_ros_skid_steer_drive.so",
                    &format!("{joints}<wheelSeparation>0.4</wheelSeparation><wheelDiameter>0.2</wheelDiameter>"),
                ),
                AHEAD,
            )
        }
        "AckermannSteering" => {
            // The steered joints are those of two rotors of their own: only the drive is judged here.
            let inner = "<left_joint>left_rear</left_joint><right_joint>right_rear</right_joint><left_steering_joint>left_front</left_steering_joint><right_steering_joint>right_front</right_steering_joint><wheel_radius>0.1</wheel_radius><wheel_separation>0.4</wheel_separation><wheel_base>0.6</wheel_base><kingpin_width>0.4</kingpin_width>";
            let text = cart([""; 4], &sim("ackermann-steering", "AckermannSteering", inner));
            let wheel = |run: &Run| run.joint(Quantity::Rate, "m::left_rear", 0).unwrap();
            Scene { commands: AHEAD, ..scene(text, 1.5, wheel, 4.0, 0.1) }
        }
        "MecanumDrive" => {
            let inner = "<front_left_joint>left_front</front_left_joint><front_right_joint>right_front</front_right_joint><back_left_joint>left_rear</back_left_joint><back_right_joint>right_rear</back_right_joint><wheelbase>0.6</wheelbase><wheel_separation>0.4</wheel_separation><wheel_radius>0.1</wheel_radius>";
            let (a, b) = ("<fdir1>1 -1 0</fdir1>", "<fdir1>1 1 0</fdir1>");
            let text = cart([a, b, b, a], &sim("mecanum-drive", "MecanumDrive", inner));
            Scene { commands: &["m:twist=0,0.3,0,0,0,0"], without: 0.0, ..scene(text, 1.5, sideways, 0.3, 0.02) }
        }
        "TrackController" => {
            let belt = sim("track-controller", "TrackController", "<link>l</link>");
            let shape = r#"<collision name="c"><geometry><box><size>4 0.5 0.1</size></box></geometry></collision>"#;
            let under = format!(
                r#"<model name="belt"><static>true</static><pose>0 0 0.05 0 0 0</pose><link name="l">{shape}</link>{belt}</model>"#
            );
            Scene {
                commands: &["belt::l:velocity=0.5"],
                ..scene(box_on(&under), 0.8, |run| velocity(run, "load::l").0.x, 0.5, 5e-3)
            }
        }
        "TrackedVehicle" => {
            let track = |name: &str, y: f64| {
                format!(
                    r#"<link name="{name}"><pose>0 {y} 0.1 0 0 0</pose>{}<collision name="c"><geometry><box><size>0.3 0.1 0.2</size></box></geometry></collision></link><joint name="j{name}" type="fixed"><parent>base</parent><child>{name}</child></joint>{}"#,
                    inertial(1.0, 0.02),
                    sim("track-controller", "TrackController", &format!("<link>{name}</link>"))
                )
            };
            let vehicle = sim(
                "tracked-vehicle",
                "TrackedVehicle",
                "<left_track><link>lt</link></left_track><right_track><link>rt</link></right_track><tracks_separation>0.4</tracks_separation><track_height>0.2</track_height>",
            );
            let base = format!(r#"<link name="base"><pose>0 0 0.1 0 0 0</pose>{}</link>"#, inertial(4.0, 0.08));
            let model = format!(
                r#"{}<model name="m">{base}{}{}{vehicle}</model>"#,
                ground(),
                track("lt", 0.2),
                track("rt", -0.2)
            );
            Scene { commands: AHEAD, ..scene(world("0 0 -9.8", &model), 1.0, forward, 0.4, 0.02) }
        }
        _ => return None,
    })
}

fn motions_and_wings(system: &str) -> Option<Scene> {
    Some(match system {
        "VelocityControl" => {
            let plugin = sim("velocity-control", "VelocityControl", "<initial_linear>0.7 0 0</initial_linear>");
            scene(free("0 0 0", 2.0, &plugin), 0.2, along, 0.7, 1e-9)
        }
        "planar_move" => {
            let text = free("0 0 0", 2.0, &classic("libgazebo_ros_planar_move.so", ""));
            Scene { commands: &["m:twist=0.7,0"], ..scene(text, 0.2, along, 0.7, 1e-9) }
        }
        "OdometryPublisher" | "gazebo_ros_p3d" => {
            let plugin = match system {
                "OdometryPublisher" => sim("odometry-publisher", "OdometryPublisher", "<dimensions>3</dimensions>"),
                _ => classic("libgazebo_ros_p3d.so", "<body_name>l</body_name>"),
            };
            let found = |run: &Run| {
                let found = run.simulation().readings().find_map(|reading| match reading.value {
                    SensorValue::Odometry { linear, .. } => Some(linear.x),
                    _ => None,
                });
                found.unwrap_or(f64::NAN)
            };
            scene(free("0 0 0", 2.0, &format!("{}{plugin}", start_velocity("0.7 0 0"))), 0.2, found, 0.7, 1e-6)
        }
        "LiftDrag" => {
            // q A = ½ 1.2 · 10² · 0.5, lift = 4 · 0.1 of it, on 2 kg.
            let inner = "<link_name>l</link_name><air_density>1.2</air_density><area>0.5</area><cla>4</cla><cda>0</cda><a0>0.1</a0>";
            let text =
                free("0 0 0", 2.0, &format!("{}{}", start_velocity("10 0 0"), sim("lift-drag", "LiftDrag", inner)));
            scene(text, 0.01, upward, 0.06, 2e-3)
        }
        "AdvancedLiftDrag" => {
            let inner = "<link_name>l</link_name><air_density>1.2</air_density><area>0.5</area><AR>6</AR><eff>0.9</eff><mac>0.3</mac><CL0>0.4</CL0>";
            let text = free(
                "0 0 0",
                2.0,
                &format!("{}{}", start_velocity("10 0 0"), sim("advanced-lift-drag", "AdvancedLiftDrag", inner)),
            );
            scene(text, 0.01, upward, 0.06, 2e-3)
        }
        "MulticopterMotorModel" => {
            let commands: &[&str] =
                &["j0:motor_speed=400", "j1:motor_speed=400", "j2:motor_speed=400", "j3:motor_speed=400"];
            // Thrust of four rotors over 1.5 kg, less gravity; the motors need 3/2 of their lag of 1/80 s.
            let rise = 4.0 * flight::K * 400.0_f64.powi(2) / 1.5;
            let text = flight::copter("");
            Scene {
                commands,
                ..scene(text, 0.5, |run| velocity(run, "x::base").0.z, rise * (0.5 - 1.5 / 80.0) - 9.8 * 0.5, 0.05)
            }
        }
        "MulticopterVelocityControl" => Scene {
            commands: &["x:twist=0,0,0.5,0,0,0"],
            ..scene(flight::copter(&flight::control()), 4.0, |run| velocity(run, "x::base").0.z, 0.5, 0.05)
        },
        "BuoyancyEngine" => {
            // −g (ρ V − ρ V₀) of 9e-4 and 3e-4 m³ on 2 kg.
            let inner =
                "<link_name>l</link_name><default_volume>9e-4</default_volume><neutral_volume>3e-4</neutral_volume>";
            let text = free("0 0 -9.8", 2.0, &sim("buoyancy-engine", "BuoyancyEngine", inner));
            let text = text.replace(
                "</link>",
                r#"<collision name="c"><geometry><sphere><radius>0.1</radius></sphere></geometry></collision></link>"#,
            );
            // Uncommanded the bladder goes to its neutral volume at 3e-6 m³/s.
            scene(text, 0.2, upward, 0.2 * (-9.8 + 9.8 * 0.6 / 2.0), 0.02)
        }
        _ => return None,
    })
}

fn water_and_joints(system: &str) -> Option<Scene> {
    Some(match system {
        "Thruster" => {
            let link = format!(
                r#"<link name="p"><pose>-0.5 0 0 0 0 0</pose>{}</link><joint name="j" type="revolute"><parent>l</parent><child>p</child><axis><xyz>1 0 0</xyz></axis></joint>"#,
                inertial(0.1, 0.001)
            );
            let inner = "<joint_name>j</joint_name><thrust_coefficient>0.005</thrust_coefficient><propeller_diameter>0.2</propeller_diameter><velocity_control>true</velocity_control>";
            let text = free("0 0 0", 1.9, &format!("{link}{}", sim("thruster", "Thruster", inner)));
            Scene { commands: &["j:thrust=4"], ..scene(text, 0.5, along, 1.0, 0.01) }
        }
        "Buoyancy" | "BuoyancyPlugin" => {
            // Twice as heavy as the water that it displaces: half of gravity is left.
            let mass = 2.0 * 1000.0 * 4.0 / 3.0 * std::f64::consts::PI * 0.027;
            let (of_world, of_model) = match system {
                "Buoyancy" => {
                    (sim("buoyancy", "Buoyancy", "<uniform_fluid_density>1000</uniform_fluid_density>"), String::new())
                }
                _ => (String::new(), classic("libBuoyancyPlugin.so", "<fluid_density>1000</fluid_density>")),
            };
            let text = free("0 0 -9.8", mass, &of_model).replace(
                "</link>",
                r#"<collision name="c"><geometry><sphere><radius>0.3</radius></sphere></geometry></collision></link>"#,
            );
            scene(text.replace("<model", &format!("{of_world}<model")), 0.2, upward, -4.9 * 0.2, 2e-3)
        }
        "Hydrodynamics" => {
            let plugin = sim("hydrodynamics", "Hydrodynamics", "<link_name>l</link_name><xU>-2</xU>");
            scene(
                free("0 0 0", 2.0, &format!("{}{plugin}", start_velocity("1 0 0"))),
                0.5,
                along,
                (-0.5_f64).exp(),
                2e-3,
            )
        }
        "WindEffects" => {
            let plugin = sim(
                "wind-effects",
                "WindEffects",
                "<force_approximation_scaling_factor>1</force_approximation_scaling_factor>",
            );
            let text = free("0 0 0", 2.0, "").replace("<link", "<enable_wind>true</enable_wind><link");
            let text =
                text.replace("<model", &format!("<wind><linear_velocity>1 0 0</linear_velocity></wind>{plugin}<model"));
            scene(text, 0.5, along, 1.0 - (-0.5_f64).exp(), 2e-3)
        }
        "DetachableJoint" => {
            let plugin = sim(
                "detachable-joint",
                "DetachableJoint",
                "<parent_link>l</parent_link><child_model>load</child_model><child_link>l</child_link>",
            );
            let crane = format!(
                r#"<model name="crane"><static>true</static><pose>0 0 3 0 0 0</pose><link name="l"/>{plugin}</model>"#
            );
            Scene {
                commands: &["crane:detach=0.1"],
                ..scene(box_on(&crane), 0.2, |run| velocity(run, "load::l").0.z, -0.98, 0.02)
            }
        }
        "BreakableJointPlugin" => {
            let sensor = r#"<sensor name="s" type="force_torque"><update_rate>1000</update_rate><plugin name="p" filename="libBreakableJointPlugin.so"><breaking_force_N>15</breaking_force_N></plugin></sensor>"#;
            let joint =
                format!(r#"<joint name="j" type="fixed"><parent>world</parent><child>l</child>{sensor}</joint>"#);
            scene(free("0 0 -9.8", 2.0, &joint), 0.2, upward, -9.8 * 0.2, 0.05)
        }
        _ => return None,
    })
}

fn holding(system: &str) -> Option<Scene> {
    Some(match system {
        "HarnessPlugin" => {
            let gains = "<p>10000</p><i>0</i><d>400</d><i_min>0</i_min><i_max>0</i_max><cmd_min>-10000</cmd_min><cmd_max>10000</cmd_max>";
            let inner = format!(
                r#"<joint name="rope" type="prismatic"><parent>world</parent><child>l</child><axis><xyz>0 0 1</xyz><limit><lower>-1.5</lower><upper>1.5</upper></limit></axis></joint>
<winch><joint>rope</joint><pos_pid>{gains}</pos_pid></winch><detach>rope</detach>"#
            );
            // The weight over the gain.
            scene(
                free("0 0 -9.8", 5.0, &classic("libHarnessPlugin.so", &inner)),
                1.5,
                |run| pose(run, "m::l").position.z,
                3.0 - 49.0 / 10000.0,
                1e-3,
            )
        }
        "ApplyLinkWrench" => {
            let plugin = sim(
                "apply-link-wrench",
                "ApplyLinkWrench",
                "<persistent><entity_name>m</entity_name><entity_type>model</entity_type><force>4 0 0</force></persistent>",
            );
            scene(free("0 0 0", 2.0, "").replace("<model", &format!("{plugin}<model")), 0.5, along, 1.0, 1e-6)
        }
        "gazebo_ros_force" => {
            let text = free("0 0 0", 2.0, &classic("libgazebo_ros_force.so", "<link_name>l</link_name>"));
            Scene { commands: &["m:wrench=4,0,0"], ..scene(text, 0.5, along, 1.0, 1e-6) }
        }
        "KineticEnergyMonitor" => {
            // The box falls by 0.1 m in 0.143 s.
            let plugin = sim(
                "kinetic-energy-monitor",
                "KineticEnergyMonitor",
                "<link_name>l</link_name><kinetic_energy_threshold>0.05</kinetic_energy_threshold>",
            );
            scene(
                box_on(ground()).replace("</link></model></world>", &format!("</link>{plugin}</model></world>")),
                0.5,
                event,
                0.15,
                0.02,
            )
        }
        "TouchPlugin" => {
            let plugin =
                sim("touchplugin", "TouchPlugin", "<target>ground</target><time>0.1</time><enabled>true</enabled>");
            scene(
                box_on(ground()).replace("</link></model></world>", &format!("</link>{plugin}</model></world>")),
                0.5,
                event,
                0.25,
                0.03,
            )
        }
        "InitialVelocityPlugin" => scene(free("0 0 0", 2.0, &start_velocity("0.7 0 0")), 0.2, along, 0.7, 1e-9),
        "WheelSlip" => wheel_slip(),
        _ => return None,
    })
}

/// A wheel that is held in x on a belt of 1 m/s and pushed along its axle by 4 N: it creeps at C r ω F / N.
fn wheel_slip() -> Scene {
    let carriage = |name: &str, parent: &str, axis: &str| {
        format!(
            r#"<link name="{name}"><pose>0 0 0.3 0 0 0</pose>{}</link><joint name="j{name}" type="prismatic"><parent>{parent}</parent><child>{name}</child><axis><xyz>{axis}</xyz></axis></joint>"#,
            inertial(0.5, 0.01)
        )
    };
    let wheel = format!(
        r#"<link name="wheel"><pose>0 0 0.2 0 0 0</pose>{}<collision name="c"><geometry><sphere><radius>0.1</radius></sphere></geometry><surface><friction><ode><mu>1</mu><mu2>1</mu2><fdir1>0 1 0</fdir1></ode></friction></surface></collision></link>
<joint name="axle" type="revolute"><parent>l</parent><child>wheel</child><axis><xyz>0 1 0</xyz></axis></joint>"#,
        inertial(1.0, 0.004)
    );
    let slip = sim(
        "wheel-slip",
        "WheelSlip",
        r#"<wheel link_name="wheel"><slip_compliance_lateral>0.5</slip_compliance_lateral><slip_compliance_longitudinal>0</slip_compliance_longitudinal><wheel_normal_force>19.6</wheel_normal_force><wheel_radius>0.1</wheel_radius></wheel>"#,
    );
    let push = sim(
        "apply-link-wrench",
        "ApplyLinkWrench",
        "<persistent><entity_name>m::l</entity_name><force>0 4 0</force></persistent>",
    );
    let belt = sim("track-controller", "TrackController", "<link>l</link>");
    let under = format!(
        r#"<model name="belt"><static>true</static><pose>0 0 0.05 0 0 0</pose><link name="l"><collision name="c"><geometry><box><size>4 4 0.1</size></box></geometry></collision></link>{belt}</model>"#
    );
    let model = format!(
        r#"{push}{under}<model name="m">{}{}{wheel}{slip}</model>"#,
        carriage("z", "world", "0 0 1"),
        carriage("l", "z", "0 1 0")
    );
    let found = |run: &Run| velocity(run, "m::l").0.y;
    let commands: &[&str] = &["belt::l:velocity=1"];
    Scene { commands, without: 0.0, ..scene(world("0 0 -9.8", &model), 0.8, found, 0.5 * 4.0 / 19.6, 0.015) }
}

#[test]
fn every_plugin_acts_under_every_engine_or_is_named() {
    let (mut wrong, mut cells) = (Vec::new(), 0);
    for entry in plugin_entries().iter().filter(|entry| entry.role == PluginRole::Acts) {
        let scene = of_system(entry.system);
        for engine in ENGINES {
            cells += 1;
            let mut run = match setup(&scene.text, scene.commands).engine(engine).start() {
                Ok(run) => run,
                Err(error) => {
                    wrong.push(format!("{} under {engine}: {error}", entry.system));
                    continue;
                }
            };
            let limit = limit_of_plugin(plugin_of_system(entry.system).unwrap(), engine);
            let named = run.without_effect().iter().filter(|one| one.subject == Subject::Plugin);
            let is_named = named.clone().any(|one| one.name == entry.system);
            if is_named != limit.is_some() || named.count() != usize::from(limit.is_some()) {
                wrong.push(format!("{} under {engine}: {:?}", entry.system, run.without_effect()));
            }
            run.advance(scene.duration).unwrap();
            let found = (scene.found)(&run);
            let expected = if limit.is_some() { scene.without } else { scene.expected };
            if found.is_nan() || (found - expected).abs() > scene.slack {
                wrong.push(format!("{} under {engine}: {found}, expected {expected}", entry.system));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {cells}:\n{}", wrong.len(), wrong.join("\n"));
}

/// Each file name that is left out is named once, with what it would have done; one that would have moved something as a warning.
#[test]
fn plugins_that_are_left_out_are_named() {
    let left_out = |role| matches!(role, PluginRole::LeftOut(_) | PluginRole::Unseen(_));
    for entry in plugin_entries().iter().filter(|entry| left_out(entry.role)) {
        for ((_, file), engine) in entry.files.iter().zip(ENGINES.iter().cycle()) {
            let run = setup(&free("0 0 0", 2.0, &classic(file, "")), &[]).engine(*engine).start().unwrap();
            let named: Vec<_> = run.without_effect().iter().filter(|one| one.name == *file).collect();
            let [one] = &named[..] else { panic!("{file} under {engine}: {named:?}") };
            let (PluginRole::LeftOut(what) | PluginRole::Unseen(what)) = entry.role else { panic!() };
            assert_eq!((one.reason.as_str(), one.count, one.place().is_empty()), (what, 1, false), "{file}");
            let (is_warning, line) = &run.effect_lines()[0];
            assert!(line.contains(file) && *is_warning == matches!(entry.role, PluginRole::LeftOut(_)), "{line}");
        }
    }
    // Whoever moves nothing is not a finding.
    for entry in plugin_entries().iter().filter(|entry| matches!(entry.role, PluginRole::Elsewhere(_))) {
        let (_, file) = entry.files[0];
        let run = setup(&free("0 0 0", 2.0, "").replace("<model", &format!("{}<model", classic(file, ""))), &[]);
        let run = run.start().unwrap();
        let plugins = run.without_effect().iter().filter(|one| one.subject == Subject::Plugin);
        assert_eq!(plugins.count(), 0, "{file}");
    }
}

/// What acts on moving models alone says so in a static one: with its line, in `check` and `run`.
#[test]
fn plugins_that_need_a_moving_model_are_named_in_a_static_one() {
    for entry in plugin_entries().iter().filter(|entry| entry.role == PluginRole::Acts && !entry.acts_on_static_models)
    {
        let scene = of_system(entry.system);
        // Plugins of the world act on all models; these stand in one.
        let is_of_model = scene.text.contains("</link><plugin") || scene.text.contains("</joint><plugin");
        if !is_of_model || !scene.text.contains(r#"<model name="m">"#) {
            continue;
        }
        let text = scene.text.replace(r#"<model name="m">"#, r#"<model name="m"><static>true</static>"#);
        let project = setup(&text, &[]).load().unwrap();
        let named = project.loaded.diagnostics.iter().any(|d| d.message.contains(entry.system) && d.location.is_some());
        assert!(named, "{}: {:?}", entry.system, project.loaded.diagnostics);
    }
}
