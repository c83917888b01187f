// Stand-ins for SwiftUI, UIKit, Combine and Darwin: the shapes of what Trove and its samples use of them. With these
// modules, the compiler checks the files for Apple's platforms on any platform.

/// The texts of modules with the names of Apple's modules.
enum AppleStandIns {
    static let swiftUI = """
        import Observation

        @MainActor @preconcurrency public protocol View {
            associatedtype Body: View
            var body: Body { get }
        }
        extension Never: View { public var body: Never { fatalError() } }
        public struct Text: View {
            public init(_ text: String) {}
            public var body: Never { fatalError() }
        }
        public struct TextField: View {
            public init(_ title: String, text: Binding<String>) {}
            public var body: Never { fatalError() }
        }
        public struct List<Data: RandomAccessCollection, Row: View>: View where Data.Element: Identifiable {
            public init(_ data: Data, row: @escaping (Data.Element) -> Row) {}
            public var body: Never { fatalError() }
        }
        extension View {
            nonisolated public func onAppear(perform action: @escaping () -> Void) -> some View { self }
            nonisolated public func environment<Value>(
                _ path: WritableKeyPath<EnvironmentValues, Value>, _ value: Value
            ) -> some View { self }
        }

        public protocol DynamicProperty { mutating func update() }
        extension DynamicProperty { public mutating func update() {} }

        public protocol EnvironmentKey {
            associatedtype Value
            static var defaultValue: Value { get }
        }
        public struct EnvironmentValues {
            public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
                get { Key.defaultValue }
                set {}
            }
        }
        @propertyWrapper public struct Environment<Value>: DynamicProperty {
            public init(_ path: KeyPath<EnvironmentValues, Value>) {}
            public var wrappedValue: Value { fatalError() }
        }
        @propertyWrapper public struct State<Value>: DynamicProperty {
            public init(wrappedValue: Value) {}
            public var wrappedValue: Value {
                get { fatalError() }
                nonmutating set {}
            }
        }
        public struct Binding<Value> {}
        @dynamicMemberLookup @propertyWrapper public struct Bindable<Value> {
            public var wrappedValue: Value
            public var projectedValue: Bindable<Value> { self }
            public init(wrappedValue: Value) where Value: AnyObject & Observable { self.wrappedValue = wrappedValue }
            public subscript<Subject>(
                dynamicMember path: ReferenceWritableKeyPath<Value, Subject>
            ) -> Binding<Subject> where Value: AnyObject { fatalError() }
        }
        """

    static let uiKit = """
        import Foundation

        @MainActor public class UIApplication {
            public nonisolated static let didEnterBackgroundNotification = Notification.Name("background")
            public nonisolated static let willEnterForegroundNotification = Notification.Name("foreground")
            public nonisolated static let protectedDataWillBecomeUnavailableNotification = Notification.Name("locked")
            public nonisolated static let protectedDataDidBecomeAvailableNotification = Notification.Name("unlocked")
        }
        extension ProcessInfo {
            public func performExpiringActivity(
                withReason reason: String, using block: @escaping @Sendable (Bool) -> Void
            ) {}
        }
        """

    #if canImport(Glibc)
    private static let system = "Glibc"
    #else
    private static let system = "Musl"
    #endif

    /// The part of Darwin that other systems lack.
    static let darwin = """
        @_exported import \(system)

        public var F_SETPROTECTIONCLASS: Int32 { 64 }
        public var F_GETPROTECTIONCLASS: Int32 { 63 }
        """

    static let combine = """
        public final class ObservableObjectPublisher {
            public init() {}
            public func send() {}
            public func sink(receiveValue: @escaping () -> Void) -> AnyCancellable { AnyCancellable() }
        }
        public final class AnyCancellable: Hashable {
            public func store(in set: inout Set<AnyCancellable>) { set.insert(self) }
            public static func == (left: AnyCancellable, right: AnyCancellable) -> Bool { left === right }
            public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
        }
        public protocol ObservableObject: AnyObject {
            associatedtype ObjectWillChangePublisher = ObservableObjectPublisher
            var objectWillChange: ObjectWillChangePublisher { get }
        }
        @propertyWrapper public struct Published<Value> {
            public var wrappedValue: Value
            public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
        }
        """

    /// Views and view models as an app has them.
    static let app = #"""
        @IndexKeyRecord("id")
        struct Friend {
            let id: AutoID
            var name: String
            var age: Int
        }

        struct FriendList: View {
            @LiveQuery(Friend.filter(\.age >= 18).sorted(by: \.name)) var friends

            var body: some View {
                List(friends) { friend in
                    Text(friend.name).onAppear { $friends?.rowAppeared(friend) }
                }
            }
        }

        struct FriendForm: View {
            @Bindable var friend: Live<Friend>

            var body: some View { TextField("Name", text: $friend.name) }
        }

        struct FriendCount: View {
            @LiveQuery(Friend.query()) var friends

            var body: some View {
                Text(_friends.error.map { "\($0)" } ?? "\(friends.count) friends").onAppear { _friends.retry() }
            }
        }

        @MainActor func app(_ store: Store) -> some View { FriendList().store(store) }

        final class MainViewModel: ObservableObject {
            private var cancellables = Set<AnyCancellable>()
            @Published var nestedModel: Live<Friend>
            let objectWillChange = ObservableObjectPublisher()

            init(nestedModel: Live<Friend>) {
                self.nestedModel = nestedModel
                nestedModel.objectWillChange
                    .sink { [weak self] in self?.objectWillChange.send() }
                    .store(in: &cancellables)
            }
        }
        """#
}
