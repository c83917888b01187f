// Database names. liblmdb compares them as bytes. Two strings can be equal in Swift, by canonical equivalence, and
// still be two names.

/// A database name. Names are equal if their UTF-8 bytes are equal.
struct DatabaseName: Hashable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (left: Self, right: Self) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
