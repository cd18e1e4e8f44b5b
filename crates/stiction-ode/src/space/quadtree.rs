//! The quadtree space, over x and y.

use std::ffi::c_int;
use std::ops::Range;

use glam::DVec3;

use super::collide::{Near, overlap};
use super::memory::Memory;
use crate::geom::GeomId;

/// A rectangle of the ground and the geoms that fit into it but into none of its quarters.
struct Block {
    /// xmin, xmax, ymin, ymax \[m\]; the upper ends are outside.
    rectangle: [f64; 4],
    /// Geoms, the one put in last first.
    first: GeomId,
    /// Geoms here and in all blocks below.
    count: u32,
    parent: Option<u32>,
    /// First of the four quarters, which stand together.
    quarters: Option<u32>,
    /// Where its geoms begin and end in the list of a walk, if it has any.
    members: [u32; 2],
}

impl Block {
    fn contains(&self, bounds: &[f64; 6]) -> bool {
        let [x_min, x_max, y_min, y_max] = self.rectangle;
        bounds[0] >= x_min && bounds[1] < x_max && bounds[2] >= y_min && bounds[3] < y_max
    }

    fn is_apart(&self, bounds: &[f64; 6]) -> bool {
        let [x_min, x_max, y_min, y_max] = self.rectangle;
        bounds[0] >= x_max || bounds[1] < x_min || bounds[2] >= y_max || bounds[3] < y_min
    }
}

/// The tree of a space, root first. A geom's slot is its block.
pub(crate) struct QuadTree {
    blocks: Vec<Block>,
    /// Geoms that have moved; one that was dirty when it was added is here twice.
    moved: Vec<GeomId>,
}

impl QuadTree {
    pub(super) fn new(center: DVec3, extents: DVec3, depth: c_int) -> Self {
        let (low, high) = (center - extents, center + extents);
        let root = [low.x, high.x.next_up(), low.y, high.y.next_up()];
        let mut tree = Self { blocks: Vec::new(), moved: Vec::new() };
        tree.blocks.push(Block {
            rectangle: root,
            first: std::ptr::null_mut(),
            count: 0,
            parent: None,
            quarters: None,
            members: [0; 2],
        });
        tree.split(0, depth);
        tree
    }

    fn split(&mut self, block: u32, depth: c_int) {
        if depth <= 0 {
            return;
        }
        let [x_min, x_max, y_min, y_max] = self.blocks[block as usize].rectangle;
        // The middle as ODE computes it, so that no geom changes sides.
        let (x, y) = (x_min + (x_max - x_min) / 2.0, y_min + (y_max - y_min) / 2.0);
        let first = self.blocks.len() as u32;
        self.blocks[block as usize].quarters = Some(first);
        for rectangle in [[x_min, x, y_min, y], [x_min, x, y, y_max], [x, x_max, y_min, y], [x, x_max, y, y_max]] {
            let parent = Some(block);
            self.blocks.push(Block {
                rectangle,
                first: std::ptr::null_mut(),
                count: 0,
                parent,
                quarters: None,
                members: [0; 2],
            });
        }
        for quarter in first..first + 4 {
            self.split(quarter, depth - 1);
        }
    }

    /// The smallest block from `start` upwards and down again that contains the bounds; the root if none does.
    fn block_for(&self, start: u32, bounds: &[f64; 6]) -> u32 {
        let mut block = start;
        while !self.blocks[block as usize].contains(bounds) {
            match self.blocks[block as usize].parent {
                Some(parent) => block = parent,
                None => return block,
            }
        }
        while let Some(first) = self.blocks[block as usize].quarters {
            match (first..first + 4).find(|&quarter| self.blocks[quarter as usize].contains(bounds)) {
                Some(quarter) => block = quarter,
                None => break,
            }
        }
        block
    }

    unsafe fn put(&mut self, block: u32, geom: GeomId) {
        (*geom).slot = block;
        (*geom).next_in_block = std::mem::replace(&mut self.blocks[block as usize].first, geom);
        self.count_up(block, 1);
    }

    unsafe fn take(&mut self, geom: GeomId) {
        let block = (*geom).slot;
        let mut link = &raw mut self.blocks[block as usize].first;
        while !(*link).is_null() {
            if *link == geom {
                *link = (*geom).next_in_block;
                break;
            }
            link = &raw mut (**link).next_in_block;
        }
        (*geom).next_in_block = std::ptr::null_mut();
        self.count_up(block, -1);
    }

    fn count_up(&mut self, block: u32, by: i32) {
        let mut next = Some(block);
        while let Some(block) = next {
            let block = &mut self.blocks[block as usize];
            block.count = block.count.wrapping_add_signed(by);
            next = block.parent;
        }
    }

    /// A new geom goes where its old bounds are, until it is settled.
    pub(super) unsafe fn add(&mut self, geom: GeomId) {
        self.moved.push(geom);
        let block = self.block_for(0, &(*geom).bounds);
        self.put(block, geom);
    }

    pub(super) unsafe fn remove(&mut self, geom: GeomId) {
        self.take(geom);
        self.moved.retain(|&other| other != geom);
    }

    pub(super) fn dirty(&mut self, geom: GeomId) {
        self.moved.push(geom);
    }

    /// The geom that moved so many others ago.
    pub(super) fn moved(&self, index: usize) -> Option<GeomId> {
        self.moved.get(index).copied()
    }

    /// The first so many of the moved are in their blocks.
    pub(super) fn forget_moved(&mut self, count: usize) {
        if count == self.moved.len() {
            self.moved.clear();
        } else {
            self.moved.drain(..count.min(self.moved.len()));
        }
    }

    /// Puts a geom with new bounds into its block. It keeps its place in the list of a block it stays in.
    pub(super) unsafe fn settle(&mut self, geom: GeomId) {
        let block = self.block_for((*geom).slot, &(*geom).bounds);
        if block != (*geom).slot {
            self.take(geom);
            self.put(block, geom);
        }
    }

    /// All pairs: block by block, each geom with the rest of its block and with all quarters below.
    pub(super) unsafe fn collide(&mut self, memory: &mut Memory, near: Near) {
        memory.geoms.clear();
        memory.bounds.clear();
        self.gather(0, memory);
        self.collide_block(0, memory, near);
    }

    /// Lists the geoms of a block and of those below that have any, block after block.
    unsafe fn gather(&mut self, block: u32, memory: &mut Memory) {
        let start = memory.geoms.len() as u32;
        let mut geom = self.blocks[block as usize].first;
        while !geom.is_null() {
            memory.geoms.push(geom);
            memory.bounds.push((*geom).bounds);
            geom = (*geom).next_in_block;
        }
        self.blocks[block as usize].members = [start, memory.geoms.len() as u32];
        for quarter in self.quarters(block) {
            if self.blocks[quarter as usize].count > 0 {
                self.gather(quarter, memory);
            }
        }
    }

    fn members(&self, block: u32) -> Range<usize> {
        let [start, end] = self.blocks[block as usize].members;
        start as usize..end as usize
    }

    unsafe fn collide_block(&self, block: u32, memory: &Memory, near: Near) {
        let here = self.members(block);
        for index in here.clone() {
            if (*memory.geoms[index]).takes_part() {
                self.collide_below(block, index, index + 1..here.end, memory, near);
            }
        }
        for quarter in self.quarters(block) {
            if self.blocks[quarter as usize].count > 1 {
                self.collide_block(quarter, memory, near);
            }
        }
    }

    /// A geom with others of a block, and with those of the quarters it reaches; a block of one is not worth asking.
    unsafe fn collide_below(&self, block: u32, index: usize, others: Range<usize>, memory: &Memory, near: Near) {
        let bounds = &memory.bounds[index];
        for other in others {
            if overlap(bounds, &memory.bounds[other]) && (*memory.geoms[other]).takes_part() {
                near.tell_if_wanted(memory.geoms[index], memory.geoms[other]);
            }
        }
        for quarter in self.quarters(block) {
            let below = &self.blocks[quarter as usize];
            if below.count > 0 && (below.count == 1 || !below.is_apart(bounds)) {
                self.collide_below(quarter, index, self.members(quarter), memory, near);
            }
        }
    }

    fn quarters(&self, block: u32) -> Range<u32> {
        self.blocks[block as usize].quarters.map_or(0..0, |first| first..first + 4)
    }

    /// A geom with all of a block and of the quarters it reaches.
    unsafe fn meet_below(&self, block: u32, geom: GeomId, near: Near) {
        self.meet_block(block, geom, near);
        for quarter in self.quarters(block) {
            let below = &self.blocks[quarter as usize];
            if below.count > 0 && (below.count == 1 || !below.is_apart(&(*geom).bounds)) {
                self.meet_below(quarter, geom, near);
            }
        }
    }

    unsafe fn meet_block(&self, block: u32, geom: GeomId, near: Near) {
        let mut member = self.blocks[block as usize].first;
        while !member.is_null() {
            if (*member).takes_part() {
                near.tell_if_near(member, geom);
            }
            member = (*member).next_in_block;
        }
    }

    /// A geom with all others that may touch it; members are told of first.
    pub(super) unsafe fn collide_with(&self, geom: GeomId, is_member: bool, near: Near) {
        let start = if is_member { (*geom).slot } else { 0 };
        self.meet_below(start, geom, near);
        let mut block = self.blocks[start as usize].parent;
        while let Some(above) = block {
            self.meet_block(above, geom, near);
            block = self.blocks[above as usize].parent;
        }
    }
}
