// The Swift samples of Docs/Encryption.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

#if canImport(CryptoKit) || Encryption
import Foundation
import Trove
import TroveCrypto

// Docs/Encryption.md:143
@IndexKeyRecord("id")
private struct Person {
    let id: Int
    var diary: Sealed<String>?
}

enum Encryption_Rotation {
    @Sendable static func run() throws {
        // Docs/Encryption.md:141


        let oldSecret = Data(repeating: 1, count: 32)
        let newSecret = Data(repeating: 2, count: 32)
        let store = try Store.temporary(records: [Person.self])
        let oldKeys = try SealingKeys(oldSecret, number: 1)
        for id in 1...1200 {
            try store.insert(Person(id: id, diary: try oldKeys.seal("Day \(id)", in: \Person.diary, of: id)))
        }
        // Docs/Encryption.md:159
        var keys = try SealingKeys(oldSecret, number: 1)
        try keys.rotate(to: newSecret, number: 2)  // seals with 2, opens 1 and 2

        var last: Int?
        repeat {
            last = try store.write { context in
                let page = try Person.select(in: context, limit: 500, after: last)
                for var person in page where try person.reseal(\.diary, with: keys) {
                    try context.insert(person)
                }
                return page.last?.id
            }
        } while last != nil

        let numbers = try Person.query().select(\.diary).resolve(in: store).map { $0?.keyNumber }
        expectOutput(Set(numbers) == [2], is: #"true"#, at: "Docs/Encryption.md:174")
        _ = oldSecret
        _ = newSecret
        _ = store
        _ = oldKeys
        _ = keys
        _ = last
        _ = numbers
    }
}
#else
enum Encryption_Rotation {
    @Sendable static func run() {}
}
#endif
