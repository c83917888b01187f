// The record types and keys of these tests.

#if canImport(CryptoKit) || Encryption
import Foundation
import Trove
import TroveCrypto

@IndexKeyRecord("id")
struct Person: Hashable {
    #Index<Person>(\.emailPrint)
    let id: Int
    var name: String
    var diary: Sealed<String>?
    var letter: Sealed<String>?
    var emailPrint: Fingerprint?
}

@IndexKeyRecord("room", "number")
struct Seat: Hashable {
    let room: String
    let number: Int
    var guest: Sealed<Guest>
}

@RecordValue
struct Guest: Hashable, Codable {
    var name: String
    var age: Int
    var friends: [Guest] = []
}

/// Sealed values inside other values.
@IndexKeyRecord("id")
struct Vault: Hashable {
    let id: Int
    var box: Box
    var codes: [Sealed<Int>] = []
}

@RecordValue
struct Box: Hashable {
    var number: Int
    var code: Sealed<Int>
    var hint: Sealed<String>?
}

/// Stored as JSON.
struct Card: Codable, Hashable {
    var number: String
    var isValid = true
}

enum Status: String, Codable, Hashable, RecordValue { case active, blocked }

extension SealingKeys {
    /// The bytes of a key of these tests.
    static func bytes(_ number: UInt8) -> [UInt8] { (0..<32).map { number &* 31 &+ $0 } }

    static func sample(_ number: UInt8 = 1) throws -> SealingKeys {
        try SealingKeys(SealingKeys.bytes(number), number: number)
    }
}

/// Returns the error of sealing that a closure throws; nil for another error or none.
func sealingError(_ body: () throws -> Void) -> SealingError? {
    do {
        try body()
        return nil
    } catch {
        return error as? SealingError
    }
}
#endif
