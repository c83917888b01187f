// The names of tables: endings of the names of types.

/// The names of the tables of some types.
///
/// The name of a table is the shortest ending of its type's name, at a dot, that no other type has. All longer endings
/// are names, too. SQLite does not distinguish the case of ASCII letters.
struct TableNames {
    private let endings: [[String]]

    /// - Parameter names: The names of the types with their modules.
    init(_ names: [String]) {
        let all = names.map { name in
            let parts = name.split(separator: ".", omittingEmptySubsequences: false)
            return parts.indices.reversed().map { parts[$0...].joined(separator: ".") }
        }
        var counts: [String: Int] = [:]
        for ending in all.joined() { counts[ending.asciiLowercased, default: 0] += 1 }
        // The whole name of a type is no name of another type that ends with it.
        var wholes: [String: Int] = [:]
        for name in names { wholes[name.asciiLowercased, default: 0] += 1 }
        endings = zip(names, all).map { name, endings in
            endings.filter { ending in
                let isOwn = ending == name ? wholes[ending.asciiLowercased] == 1 : counts[ending.asciiLowercased] == 1
                return isOwn && !ending.utf8.contains(0)
            }
        }
    }

    /// Returns the shortest name of a type.
    func shortest(_ index: Int) -> String { endings[index].first ?? "" }

    /// Returns all names of a type, the shortest first.
    func all(_ index: Int) -> [String] { endings[index] }

    /// Returns all names of the parts of a property, such as `Item.tags`, the shortest first.
    func all(_ index: Int, property: String) -> [String] {
        property.utf8.contains(0) ? [] : endings[index].map { "\($0).\(property)" }
    }
}
