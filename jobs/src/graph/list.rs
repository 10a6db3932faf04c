//! Queues of nodes, one a stage, from which any node can be taken. A node is in one at most.

/// No node.
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Links {
    before: u32,
    after: u32,
    /// The queue that it is in, or `NONE`.
    queue: u32,
}

#[derive(Debug)]
pub(crate) struct Lists {
    links: Vec<Links>,
    /// First and last of each queue.
    ends: Vec<(u32, u32)>,
}

impl Lists {
    pub(crate) fn new(nodes: usize, queues: usize) -> Self {
        let alone = Links { before: NONE, after: NONE, queue: NONE };
        Self { links: vec![alone; nodes], ends: vec![(NONE, NONE); queues] }
    }

    /// The node that has been in the queue longest.
    pub(crate) fn first(&self, queue: usize) -> Option<u32> {
        let (first, _) = self.ends[queue];
        (first != NONE).then_some(first)
    }

    /// Puts a node that is in none at the end of a queue.
    pub(crate) fn push(&mut self, queue: usize, node: u32) {
        let last = std::mem::replace(&mut self.ends[queue].1, node);
        debug_assert_eq!(self.links[node as usize].queue, NONE, "node {node} is in a queue");
        self.links[node as usize] = Links { before: last, after: NONE, queue: queue as u32 };
        match last {
            NONE => self.ends[queue].0 = node,
            last => self.links[last as usize].after = node,
        }
    }

    /// Takes a node out of its queue; nothing when it is in none.
    pub(crate) fn remove(&mut self, node: u32) {
        let Links { before, after, queue } = self.links[node as usize];
        if queue == NONE {
            return;
        }
        self.links[node as usize].queue = NONE;
        let ends = &mut self.ends[queue as usize];
        match before {
            NONE => ends.0 = after,
            before => self.links[before as usize].after = after,
        }
        match after {
            NONE => ends.1 = before,
            after => self.links[after as usize].before = before,
        }
    }
}
