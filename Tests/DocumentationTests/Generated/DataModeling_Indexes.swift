// The Swift samples of Docs/DataModeling.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/DataModeling.md:132
@IndexKeyRecord("id")
private struct User {
    #Index<User>(\.age)
    #Index<User>(\.lastName, \.firstName)
    #Index<User>(\.lastSeen.desc)
    #Index<User>(\.address)
    #Index<User>(\.lastSeen, where: { $0.isInvited && $0.age >= 18 })

    let id: Int
    var firstName: String
    var lastName: String
    var age: Int
    var lastSeen: Date?
    var address: Address?
    var isInvited: Bool = false
}

// Docs/DataModeling.md:149
@RecordValue
private struct Address {
    var street: String
    var city: String
}

// Docs/DataModeling.md:210
@IndexKeyRecord("id")
private struct Photo {
    #Index<Photo>(\.tags.each, \.taken.desc)

    let id: Int
    var taken: Int
    var tags: [String]
}

// Docs/DataModeling.md:241
@IndexKeyRecord("id")
private struct Recipe {
    #FullTextIndex<Recipe>(\.title, \.steps, weights: [3, 1])
    #Index<Recipe>(\.tags.each)
    #Index<Recipe>(\.title)

    let id: Int
    var title: String
    var steps: [String]
    var tags: [String]
}

enum DataModeling_Indexes {
    @Sendable static func run() throws {
        // Docs/DataModeling.md:132


        let store = try Store(path: samplePath("users.trove"), records: [User.self])
        try store.insert(contentsOf: [
            User(id: 1, firstName: "Korben", lastName: "Dallas", age: 45),
            User(id: 2, firstName: "Lisa", lastName: "Dallas", age: 16),
            User(id: 3, firstName: "Ruby", lastName: "Rhod", age: 30),
        ])
        let adults = try User.filter(\.age >= 18).sorted(by: \.age).select(\.firstName).resolve(in: store)
        expectOutput(adults, is: #"["Ruby", "Korben"]"#, at: "Docs/DataModeling.md:162")
        // Docs/DataModeling.md:210

        let photos = try Store(path: samplePath("photos.trove"), records: [Photo.self])
        try photos.insert(contentsOf: [
            Photo(id: 1, taken: 2020, tags: ["sea", "Oslo"]), Photo(id: 2, taken: 2024, tags: ["Oslo", "night", "Oslo"]),
            Photo(id: 3, taken: 2022, tags: []),
        ])
        let latest = Photo.filter(.contains(\.tags, "Oslo")).sorted(by: \.taken.desc).limit(10)
        expectOutput(try latest.keys(in: photos), is: #"[2, 1]"#, at: "Docs/DataModeling.md:225")
        // Docs/DataModeling.md:241

        let recipes = try Store(path: samplePath("recipes.trove"), records: [Recipe.self])
        try recipes.insert(contentsOf: [
            Recipe(id: 1, title: "Apple pie", steps: ["Peel the apples.", "Bake for an hour."], tags: ["dessert"]),
            Recipe(id: 2, title: "Pancakes", steps: ["Whisk eggs and milk.", "Serve with apple sauce."], tags: ["breakfast"]),
        ])
        expectOutput(try Recipe.matching("apple").keys(in: recipes), is: #"[1, 2]"#, at: "Docs/DataModeling.md:258")
        expectOutput(try Recipe.matching("apple").filter(.contains(\.tags, "breakfast")).keys(in: recipes), is: #"[2]"#, at: "Docs/DataModeling.md:259")
        _ = store
        _ = adults
        _ = photos
        _ = latest
        _ = recipes
    }
}
