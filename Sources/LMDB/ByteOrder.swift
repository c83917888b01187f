// The byte order of keys.

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Returns a number less than, equal to or greater than 0, as `left` sorts before, equal to or after `right`.
@usableFromInline
@unsafe package func byteOrder(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
    if let leftBase = left.baseAddress, let rightBase = right.baseAddress {
        let order = unsafe memcmp(leftBase, rightBase, min(left.count, right.count))
        if order != 0 { return Int(order) }
    }
    return left.count - right.count
}
