//! Names by which Gazebo knows collisions of URDF files: fixed joints lump links, and their collisions are renamed.
//!
//! A collision without a name is `LINK_collision`, further ones `LINK_collision_1`, …; where LINK becomes part of TOP it is
//! `TOP_fixed_joint_lump__NAME`, with a further `_1` in some versions. Here links keep their names, and their collisions too.

use crate::description::WorldDescription;

const MARK: &str = "_fixed_joint_lump__";

/// The collision that a name means among those of the body that a link is part of, by its scoped name.
pub(super) fn collision(world: &WorldDescription, link: usize, given: &str) -> Option<String> {
    let links = one_body(world, link);
    let plain = given.rsplit(MARK).next().unwrap_or(given);
    let counted = plain.rsplit_once('_').filter(|(_, count)| count.bytes().all(|b| b.is_ascii_digit()));
    let uncounted = counted.map(|(name, _)| name).filter(|_| plain != given);
    // A name as it stands comes before one without its count.
    [Some(plain), uncounted].into_iter().flatten().find_map(|name| {
        let all = links.iter().flat_map(|l| world.links[*l].collisions.iter().map(move |c| (*l, &c.name)));
        let mut meant = all.filter(|(l, full)| is_name(name, &world.links[*l].name, full)).map(|(_, full)| full);
        meant.next().cloned()
    })
}

/// The own name of a collision, or the name that Gazebo gives it if the file does not.
pub(super) fn is_name(name: &str, link: &str, full: &str) -> bool {
    let own = |scoped: &str| scoped.rsplit("::").next().unwrap_or("").to_owned();
    let (link, collision) = (own(link), own(full));
    let of_link = name.strip_prefix(link.as_str()).and_then(|rest| rest.strip_prefix('_'));
    // A name may have the scope before it.
    let is_scoped = full.strip_suffix(name).is_some_and(|before| before.is_empty() || before.ends_with("::"));
    is_scoped || of_link == Some(collision.as_str())
}

/// A link and those that fixed joints make one body with it, nearest first.
fn one_body(world: &WorldDescription, link: usize) -> Vec<usize> {
    let mut links = vec![link];
    let mut next = 0;
    while next < links.len() {
        let here = Some(links[next]);
        next += 1;
        for joint in world.joints.iter().filter(|joint| joint.is_lumped) {
            let other = if joint.parent == here {
                joint.child
            } else if joint.child == here {
                joint.parent
            } else {
                None
            };
            links.extend(other.filter(|other| !links.contains(other)));
        }
    }
    links
}
