// The names of records in CloudKit, by their keys:
//
//     name = type "(" components ")"       Person(id: 19999), Person(lastName: "Dallas", firstName: "Korben")
//          | type "(#" hash ")"            hash: 32 hexadecimal digits of the bytes of the key
//     components                           as in errors and dumps: TroveCoding/Layouts/KeyText.swift
//
// A name in CloudKit has at most 255 ASCII characters. The second form is for keys whose name in the first form is
// longer, or has other characters. A zone has one record for each name, whatever its type: so the name has the type.

import LMDB
import TroveCoding

extension CloudKitRecord where Self: IndexKeyRecord {
    /// Returns the name of a record in CloudKit: the record type, and the text of the key.
    ///
    /// The text is the text of keys in errors and dumps, such as `Person(id: 19999)`. If the name would have more than
    /// 255 characters, or other characters than ASCII, it has a hash of the key instead of the text. Then
    /// ``indexKey(ofRecordNamed:)`` cannot read it. If CloudKit does not accept the record type, the name has the hash
    /// alone; such records cannot be converted.
    ///
    /// - Parameter key: The key.
    /// - Returns: The name: at most 255 ASCII characters.
    /// - Complexity: O(*n*) in the number of bytes of the key.
    public static func ckRecordName(for key: IndexKey) -> String {
        // CloudKit raises an exception for an invalid name.
        guard CloudKitName.isRecordType(ckRecordType) else { return "(#\(hash(of: key)))" }
        let whole = wholeName(of: key)
        guard let whole, whole.utf8.count <= 255, whole.utf8.allSatisfy({ $0 < 0x80 }) else {
            return "\(ckRecordType)(#\(hash(of: key)))"
        }
        return whole
    }

    /// Returns the key in the name of a record, the inverse of ``ckRecordName(for:)``.
    ///
    /// It finds the record of a deletion, of which CloudKit tells the name alone.
    ///
    /// - Parameter name: The name of a record.
    /// - Returns: The key; nil for a name of another type, with a hash, or of another origin.
    /// - Complexity: O(*n*) in the length of the name.
    public static func indexKey(ofRecordNamed name: String) -> IndexKey? {
        guard name.hasPrefix(ckRecordType + "("), name.hasSuffix(")") else { return nil }
        let list = String(name.dropFirst(ckRecordType.count))
        do throws(CodingError) {
            let layout = try schema.valueConversions.declared(by: schema)
            let text = layout.key.count == 1 ? String(list.dropFirst().dropLast()) : list
            guard let components = layout.keyComponents(text), components.fields.count == layout.key.count
            else { return nil }
            let key = try KeyReader.decode(IndexKey.self, from: try layout.writeKey(components))
            return ckRecordName(for: key) == name ? key : nil
        } catch {
            return nil
        }
    }

    /// The value of ``CloudKitName/keyField`` of a record; nil if the record's name has the key.
    package var cloudKitKeyText: String? {
        Self.ckRecordName(for: indexKey) == Self.wholeName(of: indexKey) ? nil : Self.wholeName(of: indexKey)
    }

    /// Returns the name in the first form, of any length; nil if the key has no text.
    private static func wholeName(of key: IndexKey) -> String? {
        StoredKey(key, of: Self.self).text.map { text in ckRecordType + (schema.key.count == 1 ? "(\(text))" : text) }
    }

    private static func hash(of key: IndexKey) -> String {
        LongEntryHash.bytes(of: KeyWriter.bytes(of: key)[...])
            .map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
