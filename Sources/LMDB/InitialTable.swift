// A table that a new environment begins with.

/// The initial database of a new file.
package struct InitialTable: Hashable, Sendable {
    /// A key and its value.
    package struct Entry: Hashable, Sendable {
        package var key: [UInt8]
        package var value: [UInt8]

        package init(_ key: [UInt8], _ value: [UInt8]) {
            self.key = key
            self.value = value
        }
    }

    package var name: String
    package var entries: [Entry]

    package init(name: String, entries: [Entry]) {
        self.name = name
        self.entries = entries
    }
}
