// The kinds of types without a coding, and the reasons for the diagnostic.

/// A kind of type that has no coding.
enum UnsupportedType: Equatable {
    case function, tuple, existential, opaque, metatype, implicitlyUnwrapped, attributed

    var reason: String {
        switch self {
        case .function: "a function has no bytes"
        case .tuple: "a tuple has no coding; declare a struct with '@RecordValue'"
        case .existential: "an existential type does not say what to decode; use a concrete type"
        case .opaque: "an opaque type does not say what to decode; use a concrete type"
        case .metatype: "a metatype has no bytes"
        case .implicitlyUnwrapped: "an implicitly unwrapped optional has no coding; use '?'"
        case .attributed: "a type with attributes or specifiers has no coding"
        }
    }
}
