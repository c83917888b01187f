// A small store with links of every form, and changes of its tables.

import Foundation
import LMDB
import Trove
import TroveTestSupport

/// A store as the base of damaged links.
struct LinkSample: Sendable {
    /// The undamaged store.
    static let sound = Result { try LinkSample() }

    /// The value to seal records: the version of their fields, and the seed of their checksums.
    private typealias Seal = (version: UInt32, seed: CRC32C)

    let bytes: [UInt8]
    /// The tables with each relation's links. A list of links has no seal. The last table has the nodes.
    private let tables: [(name: String, seal: Seal?)]

    private init() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("sample")
        var links: [String: Seal] = [:]
        var nodes: [String: Seal] = [:]
        do {
            let store = try LinkProperties.open(path)
            try store.write { context in
                for id in UInt8(0)..<4 { try LinkedNode(id: id).save(to: context) }
                try LinkedNode(id: 0, next: .id(1), children: .ids([1, 2, 3]), follows: .ids([1, 2])).save(to: context)
                try LinkedNode(id: 1, follows: .ids([2, 3]), friends: .ids([2, 3]), partner: .id(2)).save(to: context)
                try LinkedNode(id: 2, next: .id(3), favorite: .id(1), likes: .ids([3, 1])).save(to: context)
            }
            for type in try store.read({ try $0.storedTypes() }) {
                let digits = String(type.keyPrefix, radix: 16, uppercase: true)
                let prefix = String(repeating: "0", count: 8 - digits.count) + digits
                let seal = (type.versions.last ?? 0, type.checksumSeed)
                if type.links == nil { nodes[prefix] = seal } else { links[prefix] = seal }
            }
        }
        let environment = try Environment(path: path, options: EnvironmentOptions(durability: .noSync))
        let names = try environment.databaseNames().sorted()
        tables = [links, nodes].flatMap { seals in
            names.compactMap { name in
                seals[String(name.prefix(8))].map { (name, name.hasSuffix(".0.0") ? $0 : nil) }
            }
        }
        bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
    }

    /// Applies the edits of an input to a copy.
    ///
    /// - Parameter changesNodes: Whether the records of the nodes are among the tables.
    func apply(_ input: [UInt8], to path: String, changesNodes: Bool = false) throws {
        let tables = changesNodes ? tables[...] : tables.dropLast()
        let environment = try Environment(
            path: path, options: EnvironmentOptions(mapSize: 1 << 22, durability: .noSync))
        for start in stride(from: 0, to: input.count - 4, by: 5) {
            let edit = Array(input[start..<(start + 5)])
            let (name, seal) = tables[Int(edit[0]) % tables.count]
            let table = try environment.openDatabase(name)
            try environment.write { transaction in
                var entries: [(key: [UInt8], value: [UInt8])] = []
                try transaction.scan(table) { key, value in
                    entries.append((copiedBytes(key), copiedBytes(value)))
                    return .continue
                }
                guard !entries.isEmpty else { return }
                var (key, value) = entries[Int(edit[1]) % entries.count]
                if edit[2] / 2 % 6 != 5 { try transaction.delete(key, from: table) }
                Self.change(&key, &value, edit)
                guard !key.isEmpty, key.count <= 511, edit[2] / 2 % 6 != 4 else { return }
                if edit[2] % 2 == 1, let seal, value.count >= 8 {
                    StoredValue.seal(&value, seal.version, key: key, seed: seal.seed)
                }
                try transaction.put(value, for: key, in: table)
            }
        }
    }

    private static func change(_ key: inout [UInt8], _ value: inout [UInt8], _ edit: [UInt8]) {
        let (place, byte) = (Int(edit[3]), edit[4])
        switch edit[2] / 2 % 6 {
        case 0: key[place % key.count] = byte
        case 1: if !value.isEmpty { value[place % value.count] = byte }
        case 2: key = Array(key.prefix(place % (key.count + 1)))
        case 3: value = Array(value.prefix(place % (value.count + 1)))
        case 4: break
        default: key[place % key.count] = byte
        }
    }
}
