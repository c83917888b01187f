// A cursor of scans.

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A cursor with a buffer for the entries of a scan.
@safe final class ScanCursor {
    let handle: Handle
    let pointer: CursorPointer
    let entries = UnsafeMutablePointer<Entry>.allocate(capacity: EntryBatch.capacity)
    /// A copy of a key, followed by its value.
    private var copies = unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private var copiedKeySize = 0

    init(handle: Handle, pointer: CursorPointer) {
        self.handle = handle
        unsafe self.pointer = pointer
    }

    deinit {
        unsafe entries.deallocate()
        unsafe copies.deallocate()
    }

    /// Copies a key and its value, as the only entry.
    func copy(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        let size = key.count + value.count
        if unsafe copies.count < size {
            unsafe copies.deallocate()
            unsafe copies = .allocate(byteCount: size + size / 2, alignment: 8)
        }
        copiedKeySize = key.count
        let keyCopy = unsafe UnsafeMutableRawBufferPointer(rebasing: copies[..<key.count])
        let valueCopy = unsafe UnsafeMutableRawBufferPointer(rebasing: copies[key.count..<size])
        unsafe keyCopy.copyMemory(from: key)
        unsafe valueCopy.copyMemory(from: value)
        unsafe entries.initialize(
            to: Entry(ByteView(UnsafeRawBufferPointer(keyCopy)), ByteView(UnsafeRawBufferPointer(valueCopy))))
    }

    /// The last key copied.
    var copiedKey: [UInt8] { unsafe Array(copies[..<copiedKeySize]) }
}
