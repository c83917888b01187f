// The conversion of a field with the keys of other records.

/// A conversion of an optional key or an array of keys.
struct ReferenceConversion: Sendable {
    private let old: LayoutType
    private let new: LayoutType
    /// The type of the new keys.
    private let key: LayoutType
    /// The conversion of a key; nil if there is none.
    private let inner: ValueConversion?
    private let rule: ReferenceRule
    /// Whether keys may be dropped.
    let mayDropKeys: Bool

    /// - Returns: Nil if one of the types is not that of a field with keys.
    init?(from old: LayoutType, to new: LayoutType, _ rule: ReferenceRule) {
        guard let oldKey = old.referencedKey, let newKey = new.referencedKey else { return nil }
        self.old = old
        self.new = new
        self.rule = rule
        key = newKey
        mayDropKeys = oldKey != newKey
        do throws(ValueConversion.Mismatch) {
            inner = try ValueConversion(from: oldKey, to: newKey)
        } catch {
            inner = nil
        }
    }

    /// The conversion of the field. It fails for an array of several keys that becomes an optional key.
    var conversion: ValueConversion {
        if old == new { return .identity }
        let canFail: Bool =
            switch (old, new) {
            case (.array, .optional): true
            default: false
            }
        return ValueConversion(canFail: canFail, isInjective: false) { (value, _) throws(CodingError) in
            let keys = value.referencedKeys.compactMap(converted)
            if canFail, keys.count > 1 { throw Conversions.failure(value, "a single key") }
            return FieldValue(referencing: keys, as: new)
        }
    }

    /// Returns whether the conversion drops a key of a value.
    func dropsKeys(of value: FieldValue) -> Bool { value.referencedKeys.contains { converted($0) == nil } }

    /// Returns a key of the new type; nil if there is none.
    private func converted(_ old: FieldValue) -> FieldValue? {
        guard let inner else { return nil }
        do throws(CodingError) {
            let new = try inner.convert(old, [])
            var bytes: [UInt8] = []
            try new.write(as: key, into: &bytes)
            try rule.check(bytes)
            return new
        } catch {
            return nil
        }
    }
}
