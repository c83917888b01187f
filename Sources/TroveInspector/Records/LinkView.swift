// The links of a record: its own relations, and who points here.

#if Inspector
import TroveCoding
import Trove
import TroveSQL
import TroveTerminal

/// The links of a record, read from the tables of relations that SQL has.
struct LinkView {
    private let type: StoredType
    private let key: StoredKey
    private let snapshot: Snapshot

    /// The number of links that are shown of a relation.
    private static let limit = 50

    init(_ type: StoredType, _ key: StoredKey, _ snapshot: Snapshot) {
        self.type = type
        self.key = key
        self.snapshot = snapshot
    }

    /// A property with links of the record, or a property of other entities whose links lead to it.
    private struct Direction {
        /// The name of the table: `Chats.Chat.messages`.
        let table: String
        /// The property of the record; nil for a one-way relation of others.
        let property: String?
        /// The type at the other end.
        let other: String
        let isToOne: Bool

        var isOwn: Bool { property != nil }
    }

    /// Returns lists of links; nothing for a type without relations.
    func html(_ budget: inout Budget) throws -> HTML {
        if let links = type.links { return budget.taking(try ends(links)) }
        let all = try snapshot.context.storedRelations().flatMap(directions)
        let (own, others) = (all.filter(\.isOwn), all.filter { !$0.isOwn })
        guard !all.isEmpty, let id = try identifier() else { return HTML() }
        let (links, inverse) = (part(own, id, &budget), part(others, id, &budget))
        return TroveInspector.html {
            if !own.isEmpty {
                Tag.h2(.id("links")) { "Links" }
                links
            }
            if !others.isEmpty {
                Tag.h2(.id("inverse")) { "Who points here" }
                inverse
            }
        }
    }

    private func part(_ directions: [Direction], _ id: SQLValue, _ budget: inout Budget) -> HTML {
        let sections = budget.parts(of: directions) { section($0, id) }
        return TroveInspector.html {
            Tag.div(.class("columns")) { sections }
            Budget.hint(sections.count, of: directions.count, "relations")
        }
    }

    /// Returns the directions of a relation from or to the record.
    private func directions(_ relation: StoredLinks) -> [Direction] {
        var directions: [Direction] = []
        let ends = [(relation.first, relation.second), (relation.second, relation.first)]
        for (own, other) in ends.prefix(relation.isSymmetric ? 1 : 2) where own.keyPrefix == type.keyPrefix {
            guard let otherType = other.type else { continue }
            if let property = own.property {
                directions.append(
                    Direction(
                        table: "\(type.name).\(property)", property: property, other: otherType, isToOne: own.isToOne))
            } else if let property = other.property {
                directions.append(
                    Direction(table: "\(otherType).\(property)", property: nil, other: otherType, isToOne: false))
            }
        }
        return directions
    }

    /// Returns the name of the first column of a type: the identifier of an entity.
    private func identifierName(_ type: StoredType) throws -> String? { try type.layout(of: nil).key.first?.name }

    /// Returns the identifier as SQL has it; nil for a record that cannot be read.
    private func identifier() throws -> SQLValue? {
        guard let name = try identifierName(type) else { return nil }
        let statement =
            "SELECT \(name.quotedForSQL) FROM \(type.name.quotedForSQL) WHERE \(try type.sqlKeyColumn()) = ?"
        do {
            return try snapshot.context.sql(SQL(raw: statement, arguments: [.blob(key.bytes)])).first?[0]
        } catch let error as SQLError where error.cause?.isOfDamage == true {
            return nil
        }
    }

    private func section(_ direction: Direction, _ id: SQLValue) -> HTML {
        Tag.section {
            Tag.h3 { Tag.bdi { direction.property ?? direction.table } }
            list(direction, id)
        }
    }

    private func list(_ direction: Direction, _ id: SQLValue) -> HTML {
        do {
            let links = try targets(direction, id)
            if links.isEmpty { return Tag.p(.class("empty")) { direction.isToOne ? "nil" : "none" } }
            let (from, to) = direction.isOwn ? ("owner", "target") : ("target", "owner")
            let all = "SELECT \(to) FROM \(direction.table.quotedForSQL) WHERE \(from) = \(id)"
            return TroveInspector.html {
                Tag.ul { links.prefix(Self.limit).map { link in Tag.li { link } } }
                if links.count > Self.limit {
                    Tag.p { Tag.a(.href(SQLPage.address(all))) { "All of them by SQL" } }
                }
            }
        } catch {
            return ErrorPage.message(error)
        }
    }

    /// Returns the linked records, one more than are shown. A record that is not stored has no link.
    private func targets(_ direction: Direction, _ id: SQLValue) throws -> [HTML] {
        let (from, to) = direction.isOwn ? ("owner", "target") : ("target", "owner")
        guard let other = try snapshot.context.storedType(withName: direction.other),
            let name = try identifierName(other)
        else { return [] }
        let statement = """
            SELECT l.\(to), r.\(try other.sqlKeyColumn()) FROM \(direction.table.quotedForSQL) l \
            LEFT JOIN \(other.name.quotedForSQL) r ON r.\(name.quotedForSQL) = l.\(to) \
            WHERE l.\(from) = ? LIMIT \(Self.limit + 1)
            """
        return try snapshot.context.sql(SQL(raw: statement, arguments: [id])).map { row in
            guard case .blob(let key) = row[1] else {
                return Self.missing(row[0].plainText)
            }
            return RecordLink.html(other.storedKey(key))
        }
    }

    /// Returns the identifier of a record that links name, and that is not stored.
    private static func missing(_ identifier: String) -> HTML {
        TroveInspector.html {
            Tag.bdi { identifier.cut(ValueView.cellLimit).text }
            Tag.small { "not stored" }
        }
    }

    // MARK: Links as records

    /// Returns both ends of a link that is shown as a record.
    private func ends(_ links: StoredLinks) throws -> HTML {
        guard let record = try snapshot.context.storedRecord(withKey: key.bytes, of: type) else { return HTML() }
        let ends = [links.first, links.second]
        return try TroveInspector.html {
            Tag.h2(.id("links")) { "Ends" }
            try Tag.ul {
                for (end, field) in zip(ends, record.fields.fields) {
                    if let name = end.type, let other = try snapshot.context.storedType(withName: name) {
                        let component = StoredFields([StoredFields.Field(try identifierName(other) ?? "", field.value)])
                        let key = other.storedKey(try other.layout(of: nil).writeKey(component))
                        let isStored = try snapshot.context.hasRecord(withKey: key.bytes, of: other)
                        Tag.li {
                            Tag.bdi { name }
                            " "
                            isStored ? RecordLink.html(key) : Self.missing("\(key)")
                        }
                    }
                }
            }
        }
    }
}

extension SQLValue {
    /// The value as text, without the quotes of a literal.
    var plainText: String {
        switch self {
        case .text(let text): text
        case .blob(let bytes): Hexadecimal.text(bytes)
        default: "\(self)"
        }
    }
}
#endif
