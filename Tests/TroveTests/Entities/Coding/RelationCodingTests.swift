// Relations in JSON: each value in each form, both ways, and what incomplete or wrong JSON does.

import Foundation
import Testing

@testable import Trove

/// An entity whose JSON is a string.
@EntityModel
private struct Hashtag: Equatable {
    let id: String
    var color: String = ""
}

extension Hashtag: Codable {
    init(from decoder: any Decoder) throws {
        let words = try decoder.singleValueContainer().decode(String.self).split(separator: " ").map(String.init)
        self.init(id: words[0], color: words[1])
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode("\(id) \(color)")
    }
}

@Suite("Relations in JSON")
struct RelationCodingTests {
    private typealias One = ToOneRelation<Artist, Relations.OneWay, Relations.Optional>
    private typealias Many = ToManyRelation<Award, Relations.OneWay, Relations.Optional>
    private typealias Artists = ToManyRelation<Artist, Relations.OneWay, Relations.Optional>

    private static let ann = Artist(id: 1, name: "Ann")
    private static let object =
        #"{"agent":null,"friends":null,"id":1,"name":"Ann","partner":null,"roles":null}"#

    private func json(_ value: some Encodable, _ strategy: RelationEncodingStrategy) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        encoder.relationEncodingStrategy = strategy
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    private func decode<Value: Decodable>(
        _ text: String, as type: Value.Type = Value.self, _ strategy: RelationDecodingStrategy = .plain
    ) throws -> Value {
        let decoder = JSONDecoder()
        decoder.relationDecodingStrategy = strategy
        return try decoder.decode(type, from: Data(text.utf8))
    }

    // MARK: Encoding

    @Test func toOneValues_areEncoded() throws {
        let values: [(One, plain: String, keyed: String)] = [
            (.none, "null", "null"), (.null, "null", #"{"id":null}"#), (.id(1), #"{"id":1}"#, #"{"id":1}"#),
            (.relation(Self.ann), Self.object, #"{"object":\#(Self.object)}"#),
            (.fragment(Self.ann), Self.object, #"{"object":\#(Self.object)}"#),
        ]
        for (value, plain, keyed) in values {
            #expect(try json([value], .plain) == "[\(plain)]")
            #expect(try json([value], .keyedContainer) == "[\(keyed)]")
            let explicit = keyed.replacing(Self.object, with: try json(Self.ann, .explicitKeyedContainer))
            #expect(try json([value], .explicitKeyedContainer) == "[\(explicit)]")
        }
    }

    @Test func toManyValues_areEncoded() throws {
        let best = Award(id: "best")
        let values: [(Many, plain: String, keyed: String, explicit: String)] = [
            (.none, "null", "null", "null"),
            (.ids(["a", "b"]), #"[{"id":"a"},{"id":"b"}]"#, #"{"ids":["a","b"]}"#, #"{"ids":["a","b"]}"#),
            (.relation([best]), #"[{"id":"best"}]"#, #"{"objects":[{"id":"best"}]}"#, #"{"objects":[{"id":"best"}]}"#),
            (.fragment([]), "[]", #"{"objects":[]}"#, #"{"objects":[]}"#),
            (.appending(ids: ["a"]), #"[{"id":"a"}]"#, #"{"ids":["a"]}"#, #"{"slice_ids":["a"]}"#),
            (
                .appending(relation: [best]), #"[{"id":"best"}]"#, #"{"objects":[{"id":"best"}]}"#,
                #"{"slice":[{"id":"best"}]}"#
            ),
            (
                .appending(fragment: [best]), #"[{"id":"best"}]"#, #"{"objects":[{"id":"best"}]}"#,
                #"{"slice":[{"id":"best"}]}"#
            ),
        ]
        for (value, plain, keyed, explicit) in values {
            #expect(try json([value], .plain) == "[\(plain)]")
            #expect(try json([value], .keyedContainer) == "[\(keyed)]")
            #expect(try json([value], .explicitKeyedContainer) == "[\(explicit)]")
        }
    }

    // MARK: Decoding

    @Test(arguments: [RelationEncodingStrategy.keyedContainer, .explicitKeyedContainer])
    func keyedForms_areReadBack(strategy: RelationEncodingStrategy) throws {
        let film = Film(
            id: "1", title: "One", year: 3, studio: .id(UUID()), cast: .relation([Self.ann]), poster: .null,
            prequel: .relation(Film(id: "0", title: "Zero", director: .id(7))), awards: .ids(["a", "b"]))
        let back: Film = try decode(
            json(film, strategy), strategy == .keyedContainer ? .keyedContainer : .explicitKeyedContainer)
        #expect(back == film)
        #expect(back.cast == [Self.ann] && back.prequel?.$director == .id(7))
        #expect(back.$awards.isId && back.$poster.isNull && back.$sequel.isNone)
    }

    @Test func slices_areReadBack() throws {
        let film = Film(id: "1", title: "", cast: .appending(ids: [1]), awards: .appending(relation: [Award(id: "a")]))
        let text = try json(film, .explicitKeyedContainer)
        let back: Film = try decode(text, .explicitKeyedContainer)
        #expect(back == film && back.awards?.count == 1)
        #expect(throws: DecodingError.self) { try decode(text, as: Film.self, .keyedContainer) }
    }

    @Test func slices_areReadBackInSnakeCase() throws {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.relationEncodingStrategy = .explicitKeyedContainer
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.relationDecodingStrategy = .explicitKeyedContainer
        let film = Film(id: "1", title: "", cast: .appending(ids: [1]))
        #expect(try decoder.decode(Film.self, from: encoder.encode(film)) == film)
    }

    @Test func plainForm_isReadBackExceptForNull() throws {
        let film = Film(
            id: "1", title: "One", cast: .relation([Self.ann]), poster: .null, director: .id(1), awards: .ids([]))
        let back: Film = try decode(json(film, .plain))
        #expect(back.cast == [Self.ann] && back.$director == .id(1) && back.$awards == .ids([]))
        #expect(back.$poster.isNone)
    }

    @Test(arguments: [RelationDecodingStrategy.plain, .keyedContainer, [.plain, .explicitKeyedContainer]])
    func nullAndMissingKeys_areNone(strategy: RelationDecodingStrategy) throws {
        let film: Film = try decode(#"{"id":"1","title":"One","cast":null,"poster":null,"director":null}"#, strategy)
        #expect(film == Film(id: "1", title: "One"))
    }

    @Test func objectWithAnIDAlone_isAnID() throws {
        #expect(try decode(#"[{"id":1}]"#, as: [One].self)[0].isId)
        #expect(try decode("[[{\"id\":1},{\"id\":2}]]", as: [Artists].self)[0].isId)
        // The whole entity, if the type has nothing else.
        let awards = try decode(#"[[{"id":"a"}]]"#, as: [Many].self)[0]
        #expect(!awards.isId && awards.ids == ["a"])
        let entity = try decode("[\(Self.object)]", as: [One].self)[0]
        #expect(!entity.isId && entity.id == 1)
    }

    @Test(arguments: [RelationDecodingStrategy.keyedContainer, .explicitKeyedContainer])
    func nullUnderTheKeyOfAnEntity_isNull(_ strategy: RelationDecodingStrategy) throws {
        #expect(try decode(#"[{"object":null}]"#, as: [One].self, strategy)[0].isNull)
    }

    @Test func severalForms_areAcceptedTogether() throws {
        let all: RelationDecodingStrategy = [.plain, .keyedContainer, .explicitKeyedContainer]
        let film: Film = try decode(
            """
            {"id":"1","title":"One","cast":[{"id":1}],"awards":{"slice_ids":["a"]},"director":{"object":\(Self.object)},
            "prequel":{"id":"0","title":"Zero"},"poster":{"id":null}}
            """, all)
        #expect(film.$cast == .ids([1]) && film.$awards == .appending(ids: ["a"]))
        #expect(film.$director.id == 1 && film.prequel?.title == "Zero" && film.$poster.isNull)
    }

    // MARK: Errors

    @Test(
        arguments: [
            (#"{"id":"1","title":"","cast":[{"id":1,"name":"Ann"},{"id":2,"name":3}]}"#, ["cast", "Index 1", "name"]),
            (#"{"id":"1","title":"","cast":[{"id":1,"name":"Ann"},{"id":2}]}"#, ["cast", "Index 1"]),
            (#"{"id":"1","title":"","cast":{"id":1}}"#, ["cast"]),
            (#"{"id":"1","title":"","cast":[3]}"#, ["cast", "Index 0"]),
            (#"{"id":"1","title":"","director":[]}"#, ["director"]),
            (#"{"id":"1","title":"","director":{"id":"x"}}"#, ["director", "id"]),
            (#"{"id":"1","title":"","director":{"id":null}}"#, ["director", "id"]),
            (
                #"{"id":"1","title":"","prequel":{"id":"0","title":"","director":{"id":2,"name":[]}}}"#,
                ["prequel", "director", "name"]
            ),
        ])
    func wrongJSON_throwsWithItsPath(text: String, path: [String]) throws {
        let error = #expect(throws: DecodingError.self) { try decode(text, as: Film.self) }
        #expect(error?.path == path)
    }

    @Test(
        arguments: [
            (#"{"id":"1","title":"","cast":[{"id":1}]}"#, ["cast"]),
            (#"{"id":"1","title":"","cast":{"ids":["x"]}}"#, ["cast", "ids", "Index 0"]),
            (#"{"id":"1","title":"","cast":{"ids":[1],"objects":[]}}"#, ["cast"]),
            (#"{"id":"1","title":"","cast":{"slice_ids":[1]}}"#, ["cast"]),
            (#"{"id":"1","title":"","director":{"id":null}}"#, ["director", "id"]),
            (#"{"id":"1","title":"","director":{"object":null}}"#, ["director", "object"]),
            (#"{"id":"1","title":"","director":{"id":1,"name":"Ann"}}"#, ["director"]),
            (#"{"id":"1","title":"","director":{"object":{"id":1}}}"#, ["director", "object"]),
        ])
    func wrongKeyedJSON_throwsWithItsPath(text: String, path: [String]) throws {
        let error = #expect(throws: DecodingError.self) { try decode(text, as: Film.self, .keyedContainer) }
        #expect(error?.path == path)
    }

    // MARK: Entities with a form of their own

    @Test(arguments: [RelationDecodingStrategy.plain, [.plain, .keyedContainer], [.plain, .explicitKeyedContainer]])
    func anEntityThatIsNotAnObject_isDecoded(_ strategy: RelationDecodingStrategy) throws {
        typealias Tag = ToOneRelation<Hashtag, Relations.OneWay, Relations.Optional>
        typealias Tags = ToManyRelation<Hashtag, Relations.OneWay, Relations.Optional>
        let tags = [Hashtag(id: "a", color: "red"), Hashtag(id: "b", color: "blue")]
        let list = try json(Tags.relation(tags), .plain)
        #expect(list == #"["a red","b blue"]"#)
        #expect(try decode(list, as: Tags.self, strategy).state.entities == tags)
        #expect(try decode(#"[{"id":"a"}]"#, as: Tags.self, strategy) == .ids(["a"]))
        let single = try json([Tag.relation(tags[0])], .plain)
        #expect(single == #"["a red"]"#)
        #expect(try decode(single, as: [Tag].self, strategy)[0].state.entity == tags[0])
        #expect(throws: DecodingError.self) { try decode("[5]", as: [Tag].self, strategy) }
        let keyed = try json([Tag.relation(tags[0])], .keyedContainer)
        #expect(try decode(keyed, as: [Tag].self, .keyedContainer)[0].state.entity == tags[0])
        #expect(throws: DecodingError.self) { try decode(single, as: [Tag].self, .keyedContainer) }
    }

    // MARK: Text

    @Test func prettyDescription_hasSortedKeysAndPlainSlashes() throws {
        let text = try Award(id: "a/b").prettyDescription()
        #expect(text == "{\n  \"id\" : \"a/b\"\n}")
        #expect(try [Award(id: "a")].prettyDescription().hasPrefix("[\n"))
        let encoder = JSONEncoder.prettyPrinting
        encoder.relationEncodingStrategy = .keyedContainer
        #expect(try Poster(id: 1, film: .null).prettyDescription(with: encoder).contains("\"id\" : null"))
    }
}

extension DecodingError {
    /// The coding path.
    fileprivate var path: [String]? {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            context.codingPath.map { $0.intValue.map { "Index \($0)" } ?? $0.stringValue }
        @unknown default: nil
        }
    }
}
