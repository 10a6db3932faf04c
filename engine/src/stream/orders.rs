//! What the stream asks of the scheduler, gathered and given under one lock.

use terrane_jobs::{Priority, Scheduler};

use crate::coords::ChunkKey;
use crate::stream::work::{ChunkWork, cell, key};

#[derive(Clone, Copy, Debug)]
enum Order {
    Request { key: ChunkKey, ticket: u64, priority: Priority },
    Cancel(ChunkKey),
}

/// Orders that have not been given yet.
#[derive(Debug)]
pub(crate) struct Orders {
    orders: Vec<Order>,
    /// Everything that is asked for gets a new priority first.
    rekey: bool,
}

impl Orders {
    /// For so many chunks on their way at a time.
    pub(crate) fn new(coming_max: usize) -> Self {
        // What is cancelled and asked for anew makes two orders.
        Self { orders: Vec::with_capacity(3 * coming_max + 8), rekey: false }
    }

    pub(crate) fn request(&mut self, key: ChunkKey, ticket: u64, priority: Priority) {
        self.orders.push(Order::Request { key, ticket, priority });
    }

    pub(crate) fn cancel(&mut self, key: ChunkKey) {
        self.orders.push(Order::Cancel(key));
    }

    pub(crate) fn rekey(&mut self) {
        self.rekey = true;
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.orders.is_empty() && !self.rekey
    }

    /// True when more might not fit.
    pub(crate) fn is_full(&self) -> bool {
        self.orders.len() + 8 > self.orders.capacity()
    }

    /// Gives all orders, in their order.
    pub(crate) fn give(
        &mut self,
        scheduler: &mut Scheduler<ChunkWork>,
        mut priority: impl FnMut(ChunkKey) -> Priority,
    ) {
        if self.is_empty() {
            return;
        }
        scheduler.update(|targets| {
            // What is no longer wanted need not get a priority first.
            for order in self.orders.drain(..) {
                match order {
                    Order::Cancel(key) => {
                        targets.cancel(cell(key));
                    }
                    Order::Request { key, ticket, priority } => {
                        let asked = targets.request(cell(key), ticket, priority);
                        asked.expect("the graph has a node for every chunk that can be on its way");
                    }
                }
            }
            if std::mem::take(&mut self.rekey) {
                targets.rekey(|cell| priority(key(cell)));
            }
        });
    }
}
