//! Closures: a target with all that it needs, entered, admitted, used and let go together.

use crate::graph::table::{State, Table};
use crate::graph::{Cell, Graph, GraphSpec};
use crate::sync::atomic::Ordering;
use crate::work::Work;

impl<W: Work> Graph<W> {
    /// Fills `self.closure` with a target that is in the table and all that it needs.
    pub(crate) fn collect_closure(&mut self, target: u32) {
        let stamp = self.next_stamp();
        let Self { spec, table, closure, .. } = self;
        closure.clear();
        closure.push(target);
        table[target].stamp = stamp;
        let mut at = 0;
        while let Some(&node) = closure.get(at) {
            at += 1;
            for cell in spec.inputs(table[node].cell).flat_map(super::CellRange::cells) {
                let input = table.find(cell).expect("a closure stays in the table");
                if std::mem::replace(&mut table[input].stamp, stamp) != stamp {
                    closure.push(input);
                }
            }
        }
    }

    /// The same for a cell that need not be in the table: what is missing is entered. `None`, and nothing entered, when
    /// there is no room.
    pub(crate) fn enter_closure(&mut self, cell: Cell) -> Option<u32> {
        let stamp = self.next_stamp();
        let Self { spec, table, closure, .. } = self;
        closure.clear();
        let target = enter(table, closure, cell, stamp);
        let complete = target.is_some() && enter_inputs(spec, table, closure, stamp);
        if !complete {
            for &node in &*closure {
                if table[node].interest == 0 {
                    table.free(node);
                }
            }
            return None;
        }
        target
    }

    fn next_stamp(&mut self) -> u64 {
        self.stamp += 1;
        self.stamp
    }

    /// Moves a target from the waiting ones to the admitted: reserves memory for all of its closure that has none. False, and nothing reserved, when there is not enough
    /// even after all spare results are gone.
    pub(crate) fn admit(&mut self, target: u32, work: &W) -> bool {
        self.collect_closure(target);
        for i in 0..self.closure.len() {
            let node = self.closure[i];
            self.table[node].users += 1;
            self.spare.remove(node);
        }
        for i in 0..self.closure.len() {
            let node = self.closure[i];
            if self.table[node].state == State::Idle && !self.reserve(node, work) {
                self.stop_using();
                return false;
            }
        }
        for i in 0..self.closure.len() {
            self.start_waiting(self.closure[i]);
        }
        self.waiting.remove(target);
        self.counts.admitted += 1;
        self.table[target].request.as_mut().expect("a target").admitted = true;
        true
    }

    /// Memory for a node, by giving up spare results of its stage if need be.
    fn reserve(&mut self, node: u32, work: &W) -> bool {
        let cell = self.table[node].cell;
        loop {
            if let Some(buffer) = work.reserve(cell) {
                let node = &mut self.table[node];
                node.buffer = Some(buffer);
                node.state = State::Waiting;
                node.pending = 0;
                return true;
            }
            let Some(oldest) = self.spare.first(usize::from(cell.stage.0)) else { return false };
            self.spare.remove(oldest);
            let spare = &mut self.table[oldest];
            (spare.product, spare.failure) = (None, None);
            spare.state = State::Idle;
            spare.dropped = true;
        }
    }

    /// Counts what a node with fresh memory waits for; ready when that is nothing.
    fn start_waiting(&mut self, index: u32) {
        let Self { spec, table, ready, .. } = self;
        if table[index].state != State::Waiting {
            return;
        }
        let not_done = |cell: &Cell| {
            let input = table.find(*cell).expect("a closure stays in the table");
            table[input].state != State::Done
        };
        let pending =
            spec.inputs(table[index].cell).flat_map(super::CellRange::cells).filter(not_done).count();
        let node = &mut table[index];
        node.pending = pending as u32;
        if pending == 0 {
            node.state = State::Ready;
            ready.push(index, node.rank);
        }
    }

    /// One target fewer uses the closure at hand: memory that no other uses goes back, results become spare.
    pub(crate) fn stop_using(&mut self) {
        for i in 0..self.closure.len() {
            let index = self.closure[i];
            self.table[index].users -= 1;
            if self.table[index].users == 0 {
                self.rest(index);
            }
        }
    }

    /// One target fewer wants the closure at hand, and uses it if it was admitted: what no other wants is forgotten, what
    /// no other uses rests. What runs is told to stop.
    pub(crate) fn let_go(&mut self, admitted: bool) {
        for i in 0..self.closure.len() {
            let index = self.closure[i];
            let node = &mut self.table[index];
            node.interest -= 1;
            node.users -= u32::from(admitted);
            if node.interest == 0 {
                self.forget(index);
            } else if admitted && node.users == 0 {
                self.rest(index);
            }
        }
    }

    /// Takes back the memory of a node that no admitted target uses; a result that is there becomes spare.
    fn rest(&mut self, index: u32) {
        let node = &mut self.table[index];
        match node.state {
            State::Waiting | State::Ready => {
                self.ready.remove(index);
                node.buffer = None;
                node.state = State::Idle;
            }
            State::Done => self.spare.push(usize::from(node.cell.stage.0), index),
            State::Running | State::Idle | State::Free => {}
        }
    }

    /// Lets a node go that no target wants.
    fn forget(&mut self, index: u32) {
        match self.table[index].state {
            State::Running => {
                self.cancels[index as usize].store(true, Ordering::Relaxed);
                return self.table.detach(index);
            }
            State::Ready => _ = self.ready.remove(index),
            State::Done => self.spare.remove(index),
            State::Waiting | State::Idle | State::Free => {}
        }
        self.table.free(index);
    }
}

/// Finds or enters one cell, and adds it to the closure if it is not there.
fn enter<W: Work>(table: &mut Table<W>, closure: &mut Vec<u32>, cell: Cell, stamp: u64) -> Option<u32> {
    let node = match table.find(cell) {
        Some(node) => node,
        None => table.enter(cell)?,
    };
    if std::mem::replace(&mut table[node].stamp, stamp) != stamp {
        closure.push(node);
    }
    Some(node)
}

fn enter_inputs<W: Work>(spec: &GraphSpec, table: &mut Table<W>, closure: &mut Vec<u32>, stamp: u64) -> bool {
    let mut at = 0;
    while let Some(&node) = closure.get(at) {
        at += 1;
        for cell in spec.inputs(table[node].cell).flat_map(super::CellRange::cells) {
            if enter(table, closure, cell, stamp).is_none() {
                return false;
            }
        }
    }
    true
}
