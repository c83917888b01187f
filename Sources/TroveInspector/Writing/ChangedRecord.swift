// A record that a page changes.

#if Inspector
import Trove
import TroveCoding

/// A record that a page changes.
struct ChangedRecord: Sendable {
    let type: StoredType
    let key: StoredKey
    /// The bytes of the stored value.
    let value: [UInt8]

    init(type: StoredType, key: StoredKey, value: [UInt8]) {
        (self.type, self.key, self.value) = (type, key, value)
    }

    /// Reads the record of a page with the names `name` and `key` in its path.
    ///
    /// - Throws: ``WritesNotAllowed``; ``NotFound``; ``RefusedChange`` for a type that cannot be written.
    init(_ request: PageRequest, _ snapshot: Snapshot) throws {
        guard request.site.allowsWrites else { throw WritesNotAllowed() }
        type = try snapshot.type(named: request["name"])
        let bytes = try RecordPage.key(request["key"], of: type)
        key = type.storedKey(bytes)
        guard let value = try snapshot.context.storedBytes(withKey: bytes, of: type) else {
            throw NotFound(description: "\(type.name) has no record with the key \(key).")
        }
        self.value = value
        if let reason = try refusal(on: request.site, snapshot) { throw RefusedChange(description: reason) }
    }

    /// Returns the reason why records of the type cannot be changed; nil if they can.
    private func refusal(on site: Site, _ snapshot: Snapshot) throws -> String? {
        try RecordChange(deleting: self).refusal(on: site, snapshot)
    }

    /// A mark of the stored value, with which a form says what its page has shown. It is that of this process only.
    var mark: String { String(UInt(bitPattern: value.hashValue), radix: 16) }

    /// The address of the record's page.
    var address: Address { RecordLink.address(key) }

    /// Returns a field of the newest layout that a form can change: a value without parts, which is not of the key.
    ///
    /// - Throws: ``NotFound``.
    func field(named name: String?) throws -> LayoutField {
        guard let name, let field = try type.changeableFields().first(where: { $0.name == name }) else {
            throw NotFound(description: "\(type.name) has no property “\(name ?? "")” with a value without parts.")
        }
        return field
    }

    /// Returns the links to the changes of the record, or the reason why it cannot be changed.
    func links(on site: Site, _ snapshot: Snapshot) throws -> HTML {
        if let reason = try refusal(on: site, snapshot) {
            return html {
                Tag.h2(.id("changes")) { "Change this record" }
                Tag.p(.class("hint")) { Tag.bdi { reason.cut(2_000).text } }
            }
        }
        let limit = 200
        let fields = try type.changeableFields()
        return html {
            Tag.h2(.id("changes")) { "Change this record" }
            Tag.p(.class("pages")) {
                for field in fields.prefix(limit) {
                    Tag.a(.href(SetFieldPage.address(self, field))) {
                        "Set "
                        Tag.bdi { field.name.cut(ValueView.cellLimit).text }
                    }
                }
                Tag.a(.href(DeletePage.address(self))) { "Delete the record" }
            }
            Budget.hint(min(limit, fields.count), of: fields.count, "properties", limit: limit)
        }
    }
}

extension StoredType {
    /// Returns the fields of the newest layout whose values have no parts.
    func changeableFields() throws -> [LayoutField] {
        try layout(of: versions.last).fields.filter { $0.type.scalar != nil }
    }
}

extension LayoutType {
    /// The type of a value without parts, inside of optionals and raw values; nil for other types.
    var scalar: LayoutType? {
        switch self {
        case .scalar: self
        case .optional(let wrapped): if case .optional = wrapped { nil } else { wrapped.scalar }
        case .rawValue(let base), .descending(let base): base.scalar
        default: nil
        }
    }

    /// Whether a value can be nil.
    var canBeNil: Bool { if case .optional = self { true } else { false } }
}
#endif
