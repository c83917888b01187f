// Names of other libraries that do not exist here: the compiler answers with the name of this library. They are hidden
// from completion, and never chosen where another function fits.

import TroveCoding

// MARK: Reading

extension IndexKeyRecord {
    /// Does not exist: a query returns its records.
    @available(*, unavailable, message: "write 'query().resolve(in:)', or 'filter(…).resolve(in:)'")
    public static func fetchAll<Source>(in source: Source) throws -> [Self] { [] }

    /// Does not exist: a query returns its records.
    @available(*, unavailable, message: "write 'query().resolve(in:)'")
    public static func all<Source>(in source: Source) throws -> [Self] { [] }

    /// Does not exist: a query returns its records.
    @available(*, unavailable, message: "write 'query().resolve(in:)'")
    public static func all() -> [Self] { [] }

    /// Does not exist: a query returns its first record.
    @available(*, unavailable, message: "write 'query().first(in:)', or for a key 'query(key).resolve(in:)'")
    public static func fetchOne<Source>(in source: Source) throws -> Self? { nil }

    /// Does not exist: a query counts its records.
    @available(*, unavailable, message: "write 'query().count(in:)'")
    public static func fetchCount<Source>(in source: Source) throws -> Int { 0 }

    /// Does not exist: a query counts its records.
    @available(*, unavailable, message: "write 'query().count(in:)'")
    public static func count<Source>(in source: Source) throws -> Int { 0 }

    /// Does not exist: a query has an order.
    @available(*, unavailable, message: "write 'query().sorted(by:)'")
    public static func order<each Value>(by properties: repeat KeyPath<Self, each Value>) -> Query<Self> { Query() }

    /// Does not exist: a store returns a record by its key.
    @_disfavoredOverload
    @available(*, unavailable, message: "write 'query(key).resolve(in: store)', or 'store.get(Note.self, key: key)'")
    public static func get<Key, Source>(_ key: Key, in source: Source) throws -> Self? { nil }

    /// Does not exist: a store returns a record by its key.
    @_disfavoredOverload
    @available(*, unavailable, message: "write 'query(key).resolve(in: store)', or 'store.get(Note.self, key: key)'")
    public static func get<Key>(key: Key) throws -> Self? { nil }
}

/// The directions of a sort in other libraries.
public enum UnavailableOrder {
    /// `sorted(by: \.date)` here.
    case forward, ascending
    /// `sorted(by: \.date.desc)` here.
    case reverse, descending
}

extension QueryShaping {
    /// Does not exist under this name.
    @available(*, unavailable, message: "write 'resolve(in:)'")
    public func fetchAll<Source>(in source: Source) throws -> [Record] { [] }

    /// Does not exist under this name.
    @available(*, unavailable, message: "write 'first(in:)'")
    public func fetchOne<Source>(in source: Source) throws -> Record? { nil }

    /// Does not exist under this name.
    @available(*, unavailable, message: "write 'count(in:)'")
    public func fetchCount<Source>(in source: Source) throws -> Int { 0 }

    /// Does not exist under this name.
    @available(*, unavailable, message: "write 'sorted(by:)', with '\\.date.desc' for the other direction")
    public func order<each Value>(by properties: repeat KeyPath<Record, each Value>) -> Self { self }

    /// Does not exist: the direction belongs to the property.
    @_disfavoredOverload
    @available(*, unavailable, message: "the direction belongs to the property: 'sorted(by: \\.date.desc)'")
    public func sorted<Value>(by property: KeyPath<Record, Value>, order: UnavailableOrder) -> Self { self }
}

// MARK: Words of TroveSpellings

extension QueryShaping {
    /// A word of TroveSpellings.
    @_disfavoredOverload
    @available(*, unavailable, message: "write 'filter(…)', or import TroveSpellings")
    public func and(_ filter: Filter<Record>) -> Self { self }

    /// A word of TroveSpellings.
    @_disfavoredOverload
    @available(*, unavailable, message: "write 'filter(…)', or import TroveSpellings")
    public func and(_ property: KeyPath<Record, Bool>) -> Self { self }
}

extension Filter {
    /// A word of TroveSpellings.
    @_disfavoredOverload
    @available(*, unavailable, message: "write the filter itself: '.or(\\.age == 30)'; or import TroveSpellings")
    public static func filter(_ filter: Filter) -> Filter { filter }

    /// A word of TroveSpellings.
    @_disfavoredOverload
    @available(*, unavailable, message: "write the filter itself: '.or(\\.age == 30)'; or import TroveSpellings")
    public static func filter(_ filter: Filter, in source: some RecordReadable) -> Filter { filter }
}

extension Store {
    /// A word of TroveSpellings.
    @_disfavoredOverload
    @available(*, unavailable, message: "write 'write { }', or import TroveSpellings")
    public func withTransaction<R>(_ body: (TransactionContext) throws -> R) throws -> R { try write(body) }
}

extension Query {
    /// A word of TroveSpellings.
    @_disfavoredOverload
    @available(*, unavailable, message: "write 'resolve(in:)', or import TroveSpellings")
    public func select(in source: some RecordReadable) throws -> [Record] { [] }
}

extension Query where Record: EntityModelProtocol {
    /// Does not exist: the type makes the query of an entity.
    @available(*, unavailable, message: "write 'Note.query(id, in: context)'")
    public init<Source>(context: Source, id: Record.ID) { self.init() }
}

// MARK: Writing

extension EntityModelProtocol {
    /// Does not exist under this name.
    @_disfavoredOverload
    @available(*, unavailable, renamed: "save(to:)")
    public func save<Destination>(in destination: Destination) throws {}

    /// Does not exist under this name.
    @_disfavoredOverload
    @available(*, unavailable, renamed: "delete(from:)")
    public func delete<Destination>(in destination: Destination) throws {}
}

extension RecordWritable {
    /// Does not exist: an entity saves itself.
    @available(
        *, unavailable, message: "write 'note.save(to: store)'; a record without relations is inserted: 'insert(_:)'"
    )
    public func save<Record>(_ record: Record) throws {}
}

// MARK: Filters

extension Filter {
    /// Does not exist: a filter of words takes a string.
    @_disfavoredOverload
    @available(
        *, unavailable, message: "'matches:' takes words as a String; a regular expression is '.regex(\\.text) { /…/ }'"
    )
    public static func string<First: StringProperty, each Other: StringProperty, Words>(
        _ first: KeyPath<Record, First>, _ others: repeat KeyPath<Record, each Other>, matches words: Words
    ) -> Filter {
        .everything
    }

    /// Does not exist: a negated filter has `not`.
    @_disfavoredOverload
    @available(
        *, unavailable,
        message:
            "write '.not(.string(\\.text, matches: …))', or '.not(.regex(\\.text) { /…/ })' for a regular expression"
    )
    public static func string<First: StringProperty, each Other: StringProperty, Words>(
        _ first: KeyPath<Record, First>, _ others: repeat KeyPath<Record, each Other>, notMatching words: Words
    ) -> Filter {
        .everything
    }

    /// Does not exist under this label.
    @available(*, unavailable, renamed: "string(_:notHasPrefix:)")
    public static func string<Text: StringProperty>(
        _ property: KeyPath<Record, Text>, notHavingPrefix part: String
    ) -> Filter {
        .everything
    }

    /// Does not exist under this label.
    @available(*, unavailable, renamed: "string(_:notHasSuffix:)")
    public static func string<Text: StringProperty>(
        _ property: KeyPath<Record, Text>, notHavingSuffix part: String
    ) -> Filter {
        .everything
    }
}

extension MergeStrategy {
    /// Does not exist: a value that is always there has nothing to keep.
    @_disfavoredOverload
    @available(
        *, unavailable, message: "'patch' keeps the stored value of a property that is nil: its type must be optional"
    )
    public static func patch<Property>(_ property: WritableKeyPath<Value, Property> & Sendable) -> Self {
        Self { _, new in new }
    }
}

// MARK: The inverse of a relation

extension EntityModelProtocol {
    /// Does not exist: the inverse of a relation is known.
    @_disfavoredOverload
    @available(*, unavailable, message: "write 'save(\\.$chats, to: store)', or import TroveSpellings")
    public func save<Target, Directionality, Cardinality, Constraints, Destination>(
        _ relation: KeyPath<Self, Relation<Target, Directionality, Cardinality, Constraints>>,
        inverse: PartialKeyPath<Target>?,
        to destination: Destination
    ) throws {}

    /// Does not exist: the inverse of a relation is known.
    @_disfavoredOverload
    @available(*, unavailable, message: "write 'detach(\\.$chats, in: store)', or import TroveSpellings")
    public func detach<Target, Directionality, Cardinality, Constraints, Destination>(
        _ relation: KeyPath<Self, Relation<Target, Directionality, Cardinality, Constraints>>,
        inverse: PartialKeyPath<Target>?,
        in destination: Destination
    ) throws {}

    /// Does not exist: the inverse of a relation is known.
    @_disfavoredOverload
    @available(*, unavailable, message: "write 'delete(\\.$chats, from: store)', or import TroveSpellings")
    public func delete<Target, Directionality, Cardinality, Constraints, Destination>(
        _ relation: KeyPath<Self, Relation<Target, Directionality, Cardinality, Constraints>>,
        inverse: PartialKeyPath<Target>?,
        from destination: Destination
    ) throws {}

    /// Does not exist: the inverse of a relation is known, and the ids follow the relation.
    @_disfavoredOverload
    @available(*, unavailable, message: "write 'detach(\\.$chats, ids: [1], in: store)', or import TroveSpellings")
    public func detach<Target, Directionality, Cardinality, Constraints, Destination>(
        _ ids: [Target.ID], relation: KeyPath<Self, Relation<Target, Directionality, Cardinality, Constraints>>,
        inverse: PartialKeyPath<Target>? = nil,
        in destination: Destination
    ) throws {}

    /// Does not exist: the inverse of a relation is known, and the ids follow the relation.
    @_disfavoredOverload
    @available(*, unavailable, message: "write 'delete(\\.$chats, ids: [1], from: store)', or import TroveSpellings")
    public func delete<Target, Directionality, Cardinality, Constraints, Destination>(
        _ ids: [Target.ID], relation: KeyPath<Self, Relation<Target, Directionality, Cardinality, Constraints>>,
        inverse: PartialKeyPath<Target>? = nil,
        from destination: Destination
    ) throws {}
}
