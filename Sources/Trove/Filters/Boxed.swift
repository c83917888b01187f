// Values that are rarely there, and then in an object of their own.

/// A value that is rarely there. Without it, a copy costs a pointer, whatever the size of the value.
///
/// Always inlined: a test of the pointer needs no metadata of the value's type, which generic code would look up.
@propertyWrapper
struct Boxed<Value: Sendable>: Sendable {
    private var box: Box<Value>?

    /// Creates no value.
    @inline(__always)
    init() {}

    /// The value; nil if there is none.
    var wrappedValue: Value? {
        get { box?.value }
        set { box = newValue.map { Box($0) } }
    }

    /// Whether there is no value. The value is not read.
    var isNil: Bool {
        @inline(__always) get { box == nil }
    }
}

/// A value in an object.
private final class Box<Value: Sendable>: Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
