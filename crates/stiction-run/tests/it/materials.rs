//! Material tables on worlds: a table of one's own, and the sample of Choreonoid's AGX plug-in.

use stiction::math::DVec3;
use stiction_run::{Quantity, Run, Setup};

fn position(run: &Run, link: &str) -> DVec3 {
    run.link(Quantity::Position, link).expect("a link")
}

/// The friction of a table takes the place of the file's: boxes at 3 m/s slide v² / 2 μ g.
#[test]
fn a_table_of_ones_own_is_the_law_of_all_contacts() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("table.yaml");
    std::fs::write(&table, "materials: [ { name: Default, roughness: 0.4, viscosity: 1.0 } ]\n").unwrap();
    let world = folder.path().join("slide.sdf");
    std::fs::write(
        &world,
        "<sdf version='1.7'><world name='w'><gravity>0 0 -9.81</gravity>
           <model name='ground'><static>1</static><link name='l'><collision name='c'><geometry><plane/></geometry>
           </collision></link></model>
           <model name='box'><pose>0 0 0.05 0 0 0</pose><link name='l'>
             <inertial><mass>2</mass><inertia><ixx>0.03</ixx><iyy>0.03</iyy><izz>0.05</izz></inertia></inertial>
             <collision name='c'><geometry><box><size>0.4 0.4 0.1</size></box></geometry></collision></link></model>
         </world></sdf>",
    )
    .unwrap();
    let slide = |materials: Option<&std::path::Path>| {
        let mut setup = Setup::new(&world).engine("ode-world");
        setup.materials = materials.map(Into::into);
        let mut run = setup.start().unwrap();
        let box_ = run.simulation().link("box::l").unwrap().body.unwrap();
        run.simulation_mut().world.body_mut(box_).unwrap().set_velocity(DVec3::new(2.0, 0.0, 0.0)).unwrap();
        run.advance(2.0).unwrap();
        position(&run, "box::l").x
    };
    let wanted = |mu: f64| 4.0 / (2.0 * mu * 9.81);
    let (of_file, of_table) = (slide(None), slide(Some(&table)));
    assert!((of_file / wanted(1.0) - 1.0).abs() < 0.02, "{of_file} m, wanted {} m", wanted(1.0));
    assert!((of_table / wanted(0.4) - 1.0).abs() < 0.02, "{of_table} m, wanted {} m", wanted(0.4));
}

#[test]
fn a_table_that_is_not_there_stops_the_run() {
    let mut setup = Setup::new("tower");
    setup.materials = Some("nowhere.yaml".into());
    assert!(setup.start().is_err());
}

/// Blocks of several materials on a slope of 30°: way along the slope after 3 s, by hand for those without friction and
/// with Coulomb's.
#[test]
fn the_material_sample_slides_by_material() {
    let Some(folder) = stiction_testing::shared("choreonoid") else { return };
    let file = folder.join("AGXDynamics/agxMaterialSample.cnoid");
    let mut run = Setup::new(file).engine("ode-world").start().unwrap();
    let boxes = [10, 31, 50, 51, 61, 98];
    let of = |run: &Run, number: i32| position(run, &format!("agxMaterialSample::box{number}"));
    let starts = boxes.map(|number| of(&run, number));
    run.advance(3.0).unwrap();
    let (sin, cos) = 30f64.to_radians().sin_cos();
    let way = |number: i32| {
        let k = boxes.iter().position(|b| *b == number).unwrap();
        let d = of(&run, number) - starts[k];
        (d.y * cos - d.z * sin, d.y * sin + d.z * cos)
    };
    let (along, normal) = way(50);
    assert!((along - 22.065).abs() < 0.01 * 22.065 && (normal + 1.25).abs() < 1e-2, "box50: {along} m, {normal} m");
    assert!((way(10).0 - 3.58).abs() < 0.2, "box10: {} m", way(10).0);
    assert!((way(51).0 - 0.722).abs() < 1.0, "box51: {} m", way(51).0);
    assert!(way(50).0 > way(61).0 && way(61).0 > way(10).0 + 1.0 && way(10).0 > way(51).0, "{:?}", boxes.map(way));
    // Restitution 1 is still in the air; excluded pairs fall through.
    assert!(way(31).1 > -1.2 && way(98).1 < -10.0, "{:?}", boxes.map(way));
}
