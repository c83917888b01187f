// Indexes of every shape that the macros support. The compilation of this file without a warning is half of the test;
// the other half is `DeclarationTests.swift`.

import Foundation
import Trove

// MARK: Every shape

@IndexKeyRecord("id")
struct DeclaredUser: Equatable {
    #Index<DeclaredUser>(\.age)
    #Index<DeclaredUser>(\.lastName, \.firstName.desc)
    #Index<DeclaredUser>(\.age, where: { $0.isActive })
    #Index<DeclaredUser>(
        \.born.desc, \.id,
        where: { user in
            user.status == .active
                && user.age > 17  // adults
        })
    #Index<Self>(\DeclaredUser.status) { $0.age > 17 }
    #Unique<DeclaredUser>(\.email, collisions: .throw)
    #Unique<DeclaredUser>(\.status, \.age, collisions: .upsert)
    #Unique<DeclaredUser>(\.lastName, collisions: .ignore, where: { !$0.lastName.isEmpty })
    #Unique<DeclaredUser>(
        \.isCurrent,
        collisions: .custom { context, new, existing in
            guard new != existing else { return }
            var former = existing
            former.isCurrent = false
            try context.insert(former)
        }, where: { $0.isCurrent })

    enum Status: String, KeyComponent { case active, gone }

    let id: Int
    var firstName: String = ""
    var lastName: String = ""
    var age: Int = 0
    var email: String?
    var status: Status = .active
    var born: Date?
    var isCurrent: Bool = false

    var isActive: Bool { status == .active }

    enum CodingKeys: String, CodingKey {
        case id, firstName = "first", lastName = "last", age, email, status, born, isCurrent
    }
}

// MARK: Equality

@IndexKeyRecord("id")
struct DeclaredPlace: Equatable {
    #Index<DeclaredPlace>(\.address)
    #Index<DeclaredPlace>(\.second, \.id.desc)
    #Index<DeclaredPlace>(\.shape)
    #Index<DeclaredPlace>(\.numbers)
    #Index<DeclaredPlace>(\.counts)
    #Index<DeclaredPlace>(\.bytes)
    #Index<DeclaredPlace>(\.climate)
    #Index<DeclaredPlace>(\.former)
    #Unique<DeclaredPlace>(\.tree, collisions: .throw)

    enum Climate: String, Codable { case dry, mild }

    let id: Int
    var address: Address = .none
    var second: Address?
    var shape: Shape = .empty
    var numbers: [Int] = []
    var counts: [String: Int] = [:]
    var bytes: [UInt8] = []
    var climate: Climate = .mild
    var former: Climate?
    var tree: Tree?
}

// MARK: The place of the record

/// A type around records.
public enum DeclaredLibrary {
    enum Genre: String, KeyComponent { case crime, poetry }
    static let oldest = 1900

    @IndexKeyRecord("title")
    struct Book {
        #Index<Book>(\.genre, \.year.desc, where: { $0.genre == Genre.crime && $0.year > oldest })
        #Unique<DeclaredLibrary.Book>(\.`class`, collisions: rule)
        let title: String
        let genre: Genre
        let year: Int
        private let `class`: [Genre]

        private static let rule = CollisionRule<Book>.ignore
    }

    /// A public type.
    @IndexKeyRecord("title")
    public struct PublicBook {
        #Index<PublicBook>(\.year)
        /// The title.
        public let title: String
        let year: Int
    }

    @IndexKeyRecord("title")
    fileprivate struct HiddenBook {
        #Index<HiddenBook>(\.year)
        let title: String
        private let year: Int
    }
}

@IndexKeyRecord("title")
private struct PrivateBook {
    #Index<PrivateBook>(\.year)
    let title: String
    private let year: Int
}

/// Uses the private types, for the tests in the other file.
enum PrivateDeclarations {
    static var schemas: [RecordSchema] { [DeclaredLibrary.HiddenBook.schema, PrivateBook.schema] }
}

@MainActor
@IndexKeyRecord("name")
struct DeclaredActorRecord {
    #Index<DeclaredActorRecord>(\.count.desc, where: { $0.count > 1 })
    #Unique<DeclaredActorRecord>(\.note, collisions: .upsert)
    let name: String
    var count: Int
    var note: String?
}

// MARK: By hand

/// The macro generates everything except the indexes.
@IndexKeyRecord("id")
struct IndexesByHand {
    let id: Int
    let age: Int
}

extension IndexesByHand {
    static let indexes: [RecordIndex<Self>] = [.index([IndexedProperty("age", \.age) { $0.age }])]
}

/// A value with a part stored as JSON.
@RecordValue
struct Label: Equatable {
    struct Tags: Codable, Equatable { var names: Set<String> }

    var tags: Tags
}

@IndexKeyRecord("id")
struct IndexOfJSON {
    #Index<IndexOfJSON>(\.label)

    let id: Int
    var label: Label
}

/// The second index has the name of the first index.
@IndexKeyRecord("id")
struct IndexesTwice {
    let id: Int
    let age: Int
    let rank: Int
}

extension IndexesTwice {
    static let indexes: [RecordIndex<Self>] = [
        .index([IndexedProperty("age", \.age) { $0.age }]), .index([IndexedProperty("age", \.rank) { $0.rank }]),
    ]
}
