// A store as text.

extension Store: CustomStringConvertible {
    /// The store as it is opened, such as `Store(path: "/srv/people.trove", records: [Person.self])`.
    public var description: String {
        if environment.shared.options.isTemporary { return "Store.temporary()" }
        var arguments = ["path: \(path.debugDescription)"]
        if !declaredTypes.isEmpty {
            let types = declaredTypes.map { "\($0.schema.name).self" }
            arguments.append("records: [\(types.joined(separator: ", "))]")
        }
        if isReadOnly { arguments.append("options: StoreOptions(isReadOnly: true)") }
        return "Store(\(arguments.joined(separator: ", ")))"
    }
}
