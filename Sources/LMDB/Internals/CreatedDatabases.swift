// The databases that a write transaction has created, or opened first.

/// Databases in the order of their creation, found by name.
struct CreatedDatabases {
    private(set) var all: [Database] = []
    private var places: [DatabaseName: Int] = [:]

    var isEmpty: Bool { all.isEmpty }

    /// The database with a name; nil if there is none.
    subscript(name: String) -> Database? {
        // Most transactions create nothing.
        isEmpty ? nil : places[DatabaseName(name)].map { all[$0] }
    }

    mutating func append(_ database: Database) {
        places[DatabaseName(database.name)] = all.count
        all.append(database)
    }

    mutating func append(_ other: CreatedDatabases) {
        for database in other.all { append(database) }
    }
}
