// The keys of links, taken apart by the layout: no Swift type is needed.

import LMDB
import TroveCoding

/// The keys of a relation's links: pairs of identifiers.
struct LinkKeys {
    /// The identifiers of the entities at both ends.
    struct Ends: Hashable {
        var first: [UInt8]
        var second: [UInt8]

        subscript(_ side: LinkSide) -> [UInt8] { side == .first ? first : second }
    }

    private let pair: RecordLayout
    private let firstEnd: RecordLayout

    /// - Parameter type: The type of the links.
    /// - Throws: ``StoreError/SchemaError/layoutDamaged(type:layout:reason:)``.
    init(_ type: CatalogType) throws {
        try self.init(type.keyLayout, of: type.qualifiedName)
    }

    /// - Parameters:
    ///   - keyLayout: The layout of the links' keys.
    ///   - name: The name of the relation.
    /// - Throws: ``StoreError/SchemaError/layoutDamaged(type:layout:reason:)``.
    init(_ keyLayout: String, of name: String) throws {
        do throws(CodingError) {
            pair = try RecordLayout(keyLayout + "{}")
            guard pair.key.count == 2 else { throw CodingError(.malformed(expected: "a key with two ends")) }
            firstEnd = RecordLayout(key: [pair.key[0]], fields: [])
        } catch {
            throw StoreError.schema(.layoutDamaged(type: name, layout: keyLayout, reason: error))
        }
    }

    private init(_ pair: RecordLayout) {
        self.pair = pair
        firstEnd = RecordLayout(key: [pair.key[0]], fields: [])
    }

    /// Returns the layout of an end's identifiers; nil if the layout of the keys is not a layout of links.
    static func layout(of side: LinkSide, in keyLayout: String) -> String? {
        do throws(CodingError) {
            let key = try RecordLayout(keyLayout + "{}").key
            guard key.count == 2 else { return nil }
            return RecordLayout(key: [key[side == .first ? 0 : 1]], fields: []).keyDescription
        } catch {
            return nil
        }
    }

    /// The keys with the second end before the first: the entries of a list without positions.
    var swapped: LinkKeys { LinkKeys(RecordLayout(key: [pair.key[1], pair.key[0]], fields: [])) }

    /// Returns the ends of a link; nil if the bytes are not the key of a link.
    func ends(of key: RawSpan) -> Ends? {
        do throws(CodingError) {
            let first = try firstEnd.writeKey(StoredFields([try pair.readKey(key).fields[0]]))
            guard first.count < key.byteCount else { return nil }
            return Ends(first: first, second: copiedBytes(key.extracting(droppingFirst: first.count)))
        } catch {
            return nil
        }
    }
}
