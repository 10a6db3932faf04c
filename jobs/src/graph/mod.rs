//! The job graph: which nodes there are, what they wait for, which comes next.
//!
//! In: requests for targets, and results. Out: the next job. It is plain sequential data: no threads, no locks, no clock;
//! the [scheduler](crate::Scheduler) puts one lock around it. Deliberately not here: edges. They follow from the stages'
//! declarations ([`GraphSpec`]), so nothing has to be kept in step.
//!
//! A node is a cell of a stage's grid. A *target* is a node that the host asked for; its *closure* is itself and all that
//! it needs. Asking for a target enters its closure into the table; *admitting* it reserves memory for the whole closure,
//! all or nothing. That is why bounded memory cannot lock up: what has started can always be finished.

mod cell;
mod closure;
mod heap;
mod list;
mod spec;
mod table;
#[cfg(all(test, not(any(loom, shuttle))))]
mod tests;

pub use cell::{Band, Cell, Priority};
pub(crate) use cell::{NODES_MAX, Rank};
pub use spec::{CellRange, ColumnId, GraphError, GraphSpec, Read, STAGES_MAX, Stage, StageGrid, StageId};

use std::sync::Arc;

use crate::graph::heap::Heap;
use crate::graph::list::Lists;
use crate::graph::spec::UNITS_MAX;
use crate::graph::table::{Node, Request, State, Table};
use crate::sync::atomic::{AtomicBool, Ordering};
use crate::work::{Failure, Finished, Work};

/// How much a graph holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GraphLimits {
    /// Nodes of the table: the closures of all targets that may be asked for at once, and one a worker.
    pub nodes: usize,
    /// Targets that have memory at once; as many as there are workers keep all of them busy.
    pub admitted: usize,
    /// Results that may lie there for the host. When so many are admitted or finished, nothing more is admitted: a host that
    /// takes nothing stops the workers.
    pub finished: usize,
}

/// Why a target cannot be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RequestError {
    /// No room for its closure.
    #[error("the graph holds {nodes} nodes, and needs more for this target")]
    Full {
        /// As in [`GraphLimits`].
        nodes: usize,
    },
    /// The stage or its level does not exist.
    #[error("stage {} has no level {}", .cell.stage.0, .cell.level)]
    NoSuchStage {
        /// What was asked for.
        cell: Cell,
    },
    /// So far out that units cannot be counted any more.
    #[error("cell ({}, {}) of level {} lies beyond {UNITS_MAX} units", .cell.x, .cell.z, .cell.level)]
    TooFar {
        /// What was asked for.
        cell: Cell,
    },
}

/// What a graph has done, and what it holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GraphCounts {
    /// Targets that wait for memory.
    pub waiting: usize,
    /// Targets that have it.
    pub admitted: usize,
    /// Nodes that could start.
    pub ready: usize,
    /// Nodes that have started.
    pub running: usize,
    /// Nodes in the table, those of cancelled jobs that still run included.
    pub nodes: usize,
    /// Most nodes at once.
    pub nodes_high_water: usize,
    /// Targets asked for, delivered and cancelled since the start.
    pub requests: u64,
    /// Delivered.
    pub delivered: u64,
    /// Cancelled by the host, or asked for anew with another ticket.
    pub cancelled: u64,
    /// Jobs whose result came too late and was thrown away.
    pub discarded: u64,
    /// Nodes built again although a target that was asked for still needed the earlier result: memory was too small to
    /// keep it.
    pub recomputes: u64,
}

/// What is to be done next.
pub(crate) enum Next<W: Work> {
    /// Run a job.
    Run(Start<W>),
    /// Hand over a result that was there already, as an input of another target.
    Deliver(Finished<W::Product>),
}

/// A job as the graph hands it out.
pub(crate) struct Start<W: Work> {
    pub(crate) node: u32,
    pub(crate) cell: Cell,
    pub(crate) ticket: u64,
    pub(crate) buffer: W::Buffer,
}

pub(crate) struct Graph<W: Work> {
    spec: Arc<GraphSpec>,
    limits: GraphLimits,
    table: Table<W>,
    /// Targets without memory.
    waiting: Heap,
    /// Nodes that could start.
    ready: Heap,
    /// Finished nodes that nothing admitted needs, oldest first, one list a stage.
    spare: Lists,
    /// Nodes of the closure at hand: targets first, what they read after them.
    closure: Vec<u32>,
    /// Number of that closure.
    stamp: u64,
    /// One flag a node, looked at by running jobs.
    cancels: Arc<[AtomicBool]>,
    /// Requests so far, round and round, for ties.
    sequence: u32,
    /// No memory for the first of the waiting: trying again is of no use until something is given back.
    starved: bool,
    counts: GraphCounts,
}

impl<W: Work> Graph<W> {
    /// A node, its entry in the map (of a number and a byte, and never more than half full) and the free list, its entries
    /// in two heaps with their places, its links in a list, its place in a closure, its flag.
    pub(crate) const NODE_BYTES: usize = size_of::<Node<W>>()
        + 4 * (size_of::<u32>() + 1)
        + 2 * Heap::NODE_BYTES
        + 12
        + 2 * size_of::<u32>()
        + size_of::<AtomicBool>();

    pub(crate) fn new(spec: Arc<GraphSpec>, limits: GraphLimits) -> Self {
        let nodes = limits.nodes;
        Self {
            limits,
            table: Table::new(nodes),
            waiting: Heap::new(nodes),
            ready: Heap::new(nodes),
            spare: Lists::new(nodes, spec.stages().len()),
            closure: Vec::with_capacity(nodes),
            stamp: 0,
            cancels: (0..nodes).map(|_| AtomicBool::new(false)).collect(),
            sequence: 0,
            starved: false,
            counts: GraphCounts::default(),
            spec,
        }
    }

    /// The flags that tell running jobs to stop, one a node.
    pub(crate) fn cancels(&self) -> Arc<[AtomicBool]> {
        Arc::clone(&self.cancels)
    }

    pub(crate) fn counts(&self) -> GraphCounts {
        let (waiting, ready) = (self.waiting.len(), self.ready.len());
        let (nodes, nodes_high_water) = (self.table.len(), self.table.high_water());
        GraphCounts { waiting, ready, nodes, nodes_high_water, ..self.counts }
    }

    /// Targets that are asked for and not delivered.
    pub(crate) fn wanted(&self) -> usize {
        self.waiting.len() + self.counts.admitted
    }

    /// True when a worker that asks for a job has reason to.
    pub(crate) fn has_work(&self) -> bool {
        self.ready.len() > 0 || (self.waiting.len() > 0 && !self.starved)
    }

    /// Most nodes that one target needs.
    pub(crate) fn closure_max(&self) -> usize {
        let stages = 0..self.spec.stages().len() as u8;
        stages.map(|stage| self.spec.closure_max(StageId(stage)).iter().sum()).max().unwrap_or(0)
    }

    /// Targets that are asked for and not admitted.
    pub(crate) fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Nodes that have started and not finished.
    pub(crate) fn running(&self) -> usize {
        self.counts.running
    }

    /// Memory may have come back.
    pub(crate) fn feed(&mut self) {
        self.starved = false;
    }

    fn may_admit(&self, untaken: usize) -> bool {
        let admitted = self.counts.admitted;
        !self.starved && admitted < self.limits.admitted && admitted + untaken < self.limits.finished
    }

    /// Asks for a target. The same cell and ticket again only changes the priority; another ticket cancels the earlier
    /// request, also when there is no room for the new one.
    pub(crate) fn request(
        &mut self,
        cell: Cell,
        ticket: u64,
        priority: Priority,
    ) -> Result<(), RequestError> {
        self.spec.check(cell)?;
        if let Some((node, asked)) = self.find_request(cell) {
            if asked.ticket == ticket {
                self.set_priority(node, priority);
                return Ok(());
            }
            self.cancel(cell);
        }
        let target = self.enter_closure(cell).ok_or(RequestError::Full { nodes: self.limits.nodes })?;
        self.counts.requests += 1;
        self.sequence = self.sequence.wrapping_add(1);
        let sequence = self.sequence;
        self.table[target].request = Some(Request { ticket, sequence, admitted: false });
        for i in 0..self.closure.len() {
            self.table[self.closure[i]].interest += 1;
        }
        self.table[target].rank = self.rank(cell, priority, sequence);
        self.spread_rank(target);
        self.waiting.push(target, self.table[target].rank);
        Ok(())
    }

    /// The request for a cell, if there is one.
    fn find_request(&self, cell: Cell) -> Option<(u32, Request)> {
        let node = self.table.find(cell)?;
        Some((node, self.table[node].request?))
    }

    /// Withdraws a request. A job that runs for it alone is told to stop, and its result will not be taken.
    /// False when there is none: never asked for, or delivered.
    pub(crate) fn cancel(&mut self, cell: Cell) -> bool {
        let Some((target, request)) = self.find_request(cell) else { return false };
        self.counts.cancelled += 1;
        self.starved = false;
        self.table[target].request = None;
        self.collect_closure(target);
        if request.admitted {
            self.counts.admitted -= 1;
        } else {
            self.waiting.remove(target);
        }
        self.let_go(request.admitted);
        true
    }

    /// Whether a target is asked for.
    pub(crate) fn is_wanted(&self, cell: Cell) -> bool {
        self.find_request(cell).is_some()
    }

    fn set_priority(&mut self, target: u32, priority: Priority) {
        let Some(request) = self.table[target].request else { return };
        let rank = self.rank(self.table[target].cell, priority, request.sequence);
        self.table[target].rank = rank;
        self.collect_closure(target);
        self.spread_rank(target);
        if !request.admitted {
            self.waiting.push(target, rank);
        }
    }

    /// Gives every target the priority that `priority` says, and every node that of the first target that needs it.
    pub(crate) fn rekey(&mut self, mut priority: impl FnMut(Cell) -> Priority) {
        self.table.for_each(|node| node.rank = Rank::LAST);
        for target in 0..self.limits.nodes as u32 {
            let Node { cell, request: Some(request), .. } = self.table[target] else { continue };
            let rank = self.rank(cell, priority(cell), request.sequence);
            self.table[target].rank = self.table[target].rank.min(rank);
            if self.spec.inputs(cell).next().is_some() {
                self.collect_closure(target);
                self.lower_ranks(rank);
            }
        }
        let table = &self.table;
        self.waiting.rerank(|node| table[node].rank);
        self.ready.rerank(|node| table[node].rank);
    }

    fn rank(&self, cell: Cell, priority: Priority, sequence: u32) -> Rank {
        Rank::new(priority, self.spec.depth(cell.stage), sequence)
    }

    /// Passes a target's rank on to its closure, where that is sooner.
    fn spread_rank(&mut self, target: u32) {
        self.lower_ranks(self.table[target].rank);
        for i in 0..self.closure.len() {
            let node = self.closure[i];
            if self.table[node].state == State::Ready {
                self.ready.push(node, self.table[node].rank);
            }
        }
    }

    fn lower_ranks(&mut self, rank: Rank) {
        for &node in &self.closure {
            let node = &mut self.table[node];
            node.rank = node.rank.min(rank.of_stage(self.spec.depth(node.cell.stage)));
        }
    }

    /// What a worker does next: the first of the ready jobs, unless a target that is to come before it can be admitted.
    /// `untaken` results lie there for the host.
    pub(crate) fn next(&mut self, work: &W, untaken: usize) -> Option<Next<W>> {
        loop {
            let ready = self.ready.peek().unwrap_or(Rank::LAST);
            match self.waiting.peek() {
                Some(first) if first < ready && self.may_admit(untaken) => {
                    let target = first.node();
                    if !self.admit(target, work) {
                        self.starved = true;
                    } else if self.table[target].state == State::Done {
                        return Some(Next::Deliver(self.complete(target)));
                    }
                }
                _ => break,
            }
        }
        let index = self.ready.pop()?;
        self.counts.running += 1;
        self.cancels[index as usize].store(false, Ordering::Relaxed);
        let node = &mut self.table[index];
        node.state = State::Running;
        let buffer = node.buffer.take().expect("a ready node has memory");
        let ticket = node.request.map_or(0, |request| request.ticket);
        Some(Next::Run(Start { node: index, cell: node.cell, ticket, buffer }))
    }

    /// The cell of the job, or of the target, that comes next.
    pub(crate) fn peek_next(&self) -> Option<Cell> {
        let first = [self.ready.peek(), self.waiting.peek()].into_iter().flatten().min()?;
        Some(self.table[first.node()].cell)
    }

    /// Clones what a node reads, in the order of [`crate::Job::inputs`].
    pub(crate) fn gather(&self, node: u32, inputs: &mut Vec<(Cell, W::Product)>) {
        for range in self.spec.inputs(self.table[node].cell) {
            for cell in range.cells() {
                let input = self.table.find(cell).expect("inputs are in the table while a reader runs");
                inputs.push((cell, self.table[input].product.clone().expect("inputs are done")));
            }
        }
    }

    /// Takes a result: readers that waited for it alone become ready, an admitted target is delivered. For a node that
    /// nobody wants any more the result is dropped; only then may there be none.
    pub(crate) fn finish(
        &mut self,
        index: u32,
        product: Option<W::Product>,
        failure: Option<Box<Failure>>,
    ) -> Option<Finished<W::Product>> {
        self.counts.running -= 1;
        self.starved = false;
        let node = &mut self.table[index];
        if node.detached {
            self.counts.discarded += 1;
            self.table.free(index);
            return None;
        }
        assert!(product.is_some(), "a job that is wanted has a result, or what stands in for it");
        (node.product, node.failure, node.state) = (product, failure, State::Done);
        if std::mem::take(&mut node.dropped) {
            self.counts.recomputes += 1;
        }
        let (cell, users) = (node.cell, node.users);
        if node.request.is_some_and(|request| request.admitted) {
            self.wake_readers(cell);
            self.collect_closure(index);
            return Some(self.complete(index));
        }
        if users == 0 {
            self.spare.push(usize::from(cell.stage.0), index);
        }
        self.wake_readers(cell);
        None
    }

    /// Delivers an admitted target that is done. Its closure is at hand.
    fn complete(&mut self, target: u32) -> Finished<W::Product> {
        self.counts.delivered += 1;
        self.counts.admitted -= 1;
        let failure = self.closure.iter().find_map(|node| self.table[*node].failure.clone());
        let node = &mut self.table[target];
        let request = node.request.take().expect("it was asked for");
        // For the host alone it is handed on, not shared.
        let product = if node.interest == 1 { node.product.take() } else { node.product.clone() };
        let (cell, product) = (node.cell, product.expect("it is done"));
        self.let_go(true);
        Finished { cell, ticket: request.ticket, product, failure }
    }

    fn wake_readers(&mut self, cell: Cell) {
        for range in self.spec.outputs(cell) {
            for reader in range.cells() {
                let Some(index) = self.table.find(reader) else { continue };
                let node = &mut self.table[index];
                if node.state == State::Waiting {
                    node.pending -= 1;
                    if node.pending == 0 {
                        node.state = State::Ready;
                        self.ready.push(index, node.rank);
                    }
                }
            }
        }
    }

    /// Tells every running job to stop.
    pub(crate) fn stop_all(&self) {
        for flag in &*self.cancels {
            flag.store(true, Ordering::Relaxed);
        }
    }

    /// The nodes and what they wait for, a line each.
    pub(crate) fn dump(&self) -> String {
        use std::fmt::Write as _;
        let mut text = format!("{:?}\n", self.counts());
        for index in 0..self.limits.nodes as u32 {
            let node = &self.table[index];
            if node.state == State::Free {
                continue;
            }
            let Node { cell, state, interest, users, pending, request, detached, .. } = node;
            let name = self.spec.name(cell.stage);
            let _ = writeln!(
                text,
                "{name} level {} ({}, {}): {state:?}, {interest} want it, {users} have it admitted, waits for {pending}, \
                 request {request:?}, detached {detached}",
                cell.level, cell.x, cell.z
            );
        }
        text
    }
}
