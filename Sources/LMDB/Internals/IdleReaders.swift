// A pool of idle readers, taken and returned without a lock.

import Synchronization

/// Reset readers, each in or near the first slot of its last thread.
///
/// A slot is an atomic reference, alone on its cache lines, so concurrent reader threads do not share lines. A slot
/// retains its reader: a thread that has taken one from a slot may be stopped before it could retain it, while another
/// thread discards all readers.
///
/// Unchecked because of the pointer `slots`, which never changes and leads only to atomics.
@safe final class IdleReaders: @unchecked Sendable {
    private typealias Slot = Atomic<UInt>

    private static let slotCount = 16
    /// Two cache lines, in slots: processors fetch cache lines in pairs.
    private static let stride = 16
    /// The number of slots in a quick search.
    private static let nearby = 3

    private let slots = UnsafeMutablePointer<Slot>.allocate(capacity: slotCount * stride)

    init() {
        for index in 0..<Self.slotCount * Self.stride { unsafe (slots + index).initialize(to: Slot(0)) }
    }

    deinit {
        while takeAny() != nil {}
        unsafe slots.deinitialize(count: Self.slotCount * Self.stride)
        unsafe slots.deallocate()
    }

    /// Returns a reader from the slots of the calling thread and its neighbors; nil if they are empty.
    @inline(__always)
    func takeNearby() -> TransactionCore? { take(Self.nearby) }

    /// Returns any idle reader; nil if there is none.
    func takeAny() -> TransactionCore? { take(Self.slotCount) }

    /// Stores a reader. Returns false if all slots are full.
    @inline(__always)
    func put(_ reader: TransactionCore) -> Bool {
        let retained = unsafe Unmanaged.passRetained(reader)
        let bits = unsafe UInt(bitPattern: retained.toOpaque())
        let first = Self.firstSlot()
        for offset in 0..<Self.slotCount {
            let isFree = unsafe slot(first + offset).pointee.compareExchange(
                expected: 0, desired: bits, successOrdering: .sequentiallyConsistent, failureOrdering: .relaxed
            ).exchanged
            if isFree { return true }
        }
        unsafe retained.release()
        return false
    }

    /// The number of readers in the slots.
    var count: Int {
        (0..<Self.slotCount).count { unsafe slot($0).pointee.load(ordering: .sequentiallyConsistent) != 0 }
    }

    /// Returns whether a slot has the reader.
    func contains(_ reader: TransactionCore) -> Bool {
        let bits = unsafe UInt(bitPattern: Unmanaged.passUnretained(reader).toOpaque())
        return (0..<Self.slotCount).contains { unsafe slot($0).pointee.load(ordering: .sequentiallyConsistent) == bits }
    }

    @inline(__always)
    private func take(_ count: Int) -> TransactionCore? {
        let first = Self.firstSlot()
        for offset in 0..<count where unsafe slot(first + offset).pointee.load(ordering: .relaxed) != 0 {
            let bits = unsafe slot(first + offset).pointee.exchange(0, ordering: .sequentiallyConsistent)
            if let pointer = unsafe UnsafeRawPointer(bitPattern: bits) {
                return unsafe Unmanaged<TransactionCore>.fromOpaque(pointer).takeRetainedValue()
            }
        }
        return nil
    }

    @inline(__always)
    private func slot(_ index: Int) -> UnsafeMutablePointer<Slot> {
        unsafe slots + (index % Self.slotCount) * Self.stride
    }

    /// Returns the first slot of the calling thread: a Fibonacci hash of its identity, whose low bits are the same for
    /// all threads.
    @inline(__always)
    private static func firstSlot() -> Int {
        Int(truncatingIfNeeded: (UInt64(currentThread()) &* 0x9E37_79B9_7F4A_7C15) >> 60)
    }
}
