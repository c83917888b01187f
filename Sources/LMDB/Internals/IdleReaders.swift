// The readers that nobody uses, taken and given back without a lock.

import Synchronization

/// Readers that have been reset, each where the thread that used it last looks first.
///
/// A slot is an atomic reference, alone on its cache lines, so that threads which read at the same time meet in none.
/// The readers' owner is the environment: what stands here does not keep them.
@safe final class IdleReaders: @unchecked Sendable {
    private typealias Slot = Atomic<UInt>

    private static let slotCount = 16
    /// Two cache lines, in slots: processors fetch them in pairs.
    private static let stride = 16
    /// How many slots a hurried search looks at.
    private static let nearby = 3

    private let slots = UnsafeMutablePointer<Slot>.allocate(capacity: slotCount * stride)

    init() {
        for index in 0..<Self.slotCount * Self.stride { unsafe (slots + index).initialize(to: Slot(0)) }
    }

    deinit {
        unsafe slots.deinitialize(count: Self.slotCount * Self.stride)
        unsafe slots.deallocate()
    }

    /// A reader that the calling thread, or one of its neighbours, has given back; nil where there is none at hand.
    @inline(__always)
    func takeNearby() -> TransactionCore? { take(Self.nearby) }

    /// Any reader at all.
    func takeAny() -> TransactionCore? { take(Self.slotCount) }

    /// Keeps a reader; false when there is no room.
    @inline(__always)
    func put(_ reader: TransactionCore) -> Bool {
        let bits = unsafe UInt(bitPattern: Unmanaged.passUnretained(reader).toOpaque())
        let first = Self.firstSlot()
        for offset in 0..<Self.slotCount {
            let isFree = unsafe slot(first + offset).pointee.compareExchange(
                expected: 0, desired: bits, successOrdering: .sequentiallyConsistent, failureOrdering: .relaxed
            ).exchanged
            if isFree { return true }
        }
        return false
    }

    /// How many readers are here.
    var count: Int {
        (0..<Self.slotCount).count { unsafe slot($0).pointee.load(ordering: .sequentiallyConsistent) != 0 }
    }

    @inline(__always)
    private func take(_ count: Int) -> TransactionCore? {
        let first = Self.firstSlot()
        for offset in 0..<count where unsafe slot(first + offset).pointee.load(ordering: .relaxed) != 0 {
            let bits = unsafe slot(first + offset).pointee.exchange(0, ordering: .sequentiallyConsistent)
            if let pointer = unsafe UnsafeRawPointer(bitPattern: bits) {
                return unsafe Unmanaged<TransactionCore>.fromOpaque(pointer).takeUnretainedValue()
            }
        }
        return nil
    }

    @inline(__always)
    private func slot(_ index: Int) -> UnsafeMutablePointer<Slot> {
        unsafe slots + (index % Self.slotCount) * Self.stride
    }

    /// Fibonacci hashing of the calling thread's identity, whose low bits are the same for all threads.
    @inline(__always)
    private static func firstSlot() -> Int {
        Int(truncatingIfNeeded: (UInt64(currentThread()) &* 0x9E37_79B9_7F4A_7C15) >> 60)
    }
}
