// The order of bytes, which is that of keys.

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Less than, equal to or greater than 0, as `left` sorts before, with or behind `right`.
@unsafe package func byteOrder(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
    if let leftBase = left.baseAddress, let rightBase = right.baseAddress {
        let order = unsafe memcmp(leftBase, rightBase, min(left.count, right.count))
        if order != 0 { return Int(order) }
    }
    return left.count - right.count
}
