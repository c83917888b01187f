// Names of databases are bytes to liblmdb. Two strings that Swift takes for equal, because they are canonically
// equivalent, are two names.

/// A name, equal to those of the same UTF-8 bytes alone.
struct DatabaseName: Hashable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (left: Self, right: Self) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
