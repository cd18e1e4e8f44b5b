//! A world as text, in the Dynamics Interchange Format that ODE writes (`ode/export-dif.h`): tables of Lua with the state and the
//! inner data of bodies, their geoms, and joints.

mod geoms;
mod joints;
mod writer;

use std::ffi::{CStr, c_char};

use crate::geom::GeomId;
use crate::objects::body::{AutoDisable, BodyId, flag};
use crate::objects::world::WorldId;
use crate::report::require;
use crate::stream::{self, File};
use crate::types::{matrix, quaternion, vector};
use writer::Writer;

fn auto_disable(out: &mut Writer, settings: &AutoDisable) {
    out.real("linear_threshold", settings.linear_threshold.into());
    out.real("angular_threshold", settings.angular_threshold.into());
    out.integer("average_samples", settings.average_samples.into());
    out.real("idle_time", settings.idle_time.into());
    out.integer("idle_steps", settings.idle_steps.into());
}

unsafe fn world_table(out: &mut Writer, world: WorldId, prefix: &str) {
    let world = &*world;
    out.table(&format!("{prefix}world = dynamics.world {{"), "}", |out| {
        out.vector("gravity", vector(&world.gravity));
        out.table("ODE = {", "},", |out| {
            out.real("ERP", world.erp.into());
            out.real("CFM", world.cfm.into());
            out.table("auto_disable = {", "},", |out| auto_disable(out, &world.auto_disable));
        });
    });
}

unsafe fn body_table(out: &mut Writer, body: BodyId, number: usize, prefix: &str) {
    let body = &*body;
    out.table(&format!("{prefix}body[{number}] = dynamics.body {{"), "}", |out| {
        out.line(&format!("world = {prefix}world,"));
        out.vector("pos", vector(&body.position));
        out.quaternion("q", quaternion(&body.quaternion));
        out.vector("lvel", vector(&body.linear_velocity));
        out.vector("avel", vector(&body.angular_velocity));
        out.real("mass", body.mass.mass.into());
        out.matrix("I", matrix(&body.mass.I).transpose().to_cols_array_2d());
        out.vector_nonzero("com", vector(&body.mass.c));
        out.table("ODE = {", "},", |out| {
            let flags = [
                (flag::FINITE_ROTATION, "finite_rotation"),
                (flag::DISABLED, "disabled"),
                (flag::NO_GRAVITY, "no_gravity"),
            ];
            for (_, name) in flags.into_iter().filter(|(bit, _)| body.flags & bit != 0) {
                out.integer(name, 1);
            }
            if body.flags & flag::AUTO_DISABLE != 0 {
                out.table("auto_disable = {", "},", |out| {
                    auto_disable(out, &body.auto_disable);
                    out.real("time_left", body.idle_time_left.into());
                    out.integer("steps_left", body.idle_steps_left.into());
                });
            }
            out.vector_nonzero("facc", vector(&body.force));
            out.vector_nonzero("tacc", vector(&body.torque));
            if body.flags & flag::FINITE_ROTATION_AXIS != 0 {
                out.vector("finite_rotation_axis", vector(&body.finite_rotation_axis));
            }
        });
        if !body.geom.is_null() {
            out.table("geometry = {", "},", |out| {
                let mut geom: GeomId = body.geom.cast();
                while let Some(shape) = geom.as_ref() {
                    out.table("{", "},", |out| geoms::write(out, shape));
                    geom = shape.body_next;
                }
            });
        }
    });
}

/// Writes the world to a file; every name in it starts with the prefix.
#[unsafe(no_mangle)]
unsafe extern "C-unwind" fn dWorldExportDIF(world: WorldId, file: *mut File, prefix: *const c_char) {
    require!(!world.is_null() && !file.is_null(), "bad world or file argument");
    let prefix = if prefix.is_null() { String::new() } else { CStr::from_ptr(prefix).to_string_lossy().into_owned() };
    let mut out = Writer { text: "-- Dynamics Interchange Format v0.1\n\n".to_owned(), depth: 0 };
    world_table(&mut out, world, &prefix);
    out.line(&format!("{prefix}body = {{}}"));
    let mut bodies = Vec::new();
    let mut body = (*world).first_body;
    while !body.is_null() {
        body_table(&mut out, body, bodies.len(), &prefix);
        bodies.push(body);
        body = (*body).next;
    }
    out.line(&format!("{prefix}joint = {{}}"));
    let (mut joint, mut number) = ((*world).first_joint, 0);
    while let Some(current) = joint.as_ref() {
        let name = joints::name(&current.kind);
        out.table(&format!("{prefix}joint[{number}] = dynamics.{name}_joint {{"), "}", |out| {
            out.line(&format!("world = {prefix}world,"));
            let place = |side: usize| bodies.iter().position(|&body| body == current.nodes[side].body);
            let first = place(0).map(|place| format!("{prefix}body[{place}]")).unwrap_or_default();
            let second = place(1).map(|place| format!(",{prefix}body[{place}]")).unwrap_or_default();
            out.line(&format!("body = {{{first}{second}}}"));
            joints::write(out, current);
        });
        joint = current.next;
        number += 1;
    }
    stream::write(file, &out.text);
}
