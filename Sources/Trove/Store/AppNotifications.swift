// The notifications of an app on iOS, tvOS and visionOS, and its time in the background. Other systems have none.

#if canImport(UIKit) && !os(watchOS)
import Foundation
import UIKit

/// Calls a closure with the notifications of the app, or of the app that shows this extension.
///
/// Unchecked because the observations are set up once.
final class AppNotifications: @unchecked Sendable {
    private let observations: [any NSObjectProtocol]

    init(_ body: @escaping @Sendable (BackgroundSuspension.Event) -> Void) {
        let events: [(Notification.Name, BackgroundSuspension.Event)] = [
            (UIApplication.didEnterBackgroundNotification, .enteredBackground),
            (UIApplication.willEnterForegroundNotification, .willEnterForeground),
            (UIApplication.protectedDataWillBecomeUnavailableNotification, .protectedDataWillBecomeUnavailable),
            (UIApplication.protectedDataDidBecomeAvailableNotification, .protectedDataDidBecomeAvailable),
            // In an extension.
            (Notification.Name("NSExtensionHostDidEnterBackgroundNotification"), .enteredBackground),
            (Notification.Name("NSExtensionHostWillEnterForegroundNotification"), .willEnterForeground),
        ]
        observations = events.map { name, event in
            NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in body(event) }
        }
    }

    deinit {
        for observation in observations { NotificationCenter.default.removeObserver(observation) }
    }

    /// Runs a closure inside a background task assertion, and again with true when its time is over.
    ///
    /// Not `beginBackgroundTask`, which extensions do not have.
    @Sendable static func runInBackground(_ body: @escaping @Sendable (_ isTimeOver: Bool) -> Void) {
        ProcessInfo.processInfo.performExpiringActivity(withReason: "A store is suspended", using: body)
    }
}
#else
import Dispatch

/// Calls nothing on this system.
struct AppNotifications: Sendable {
    init(_ body: @escaping @Sendable (BackgroundSuspension.Event) -> Void) {}

    /// Runs a closure on another thread.
    @Sendable static func runInBackground(_ body: @escaping @Sendable (_ isTimeOver: Bool) -> Void) {
        DispatchQueue.global(qos: .userInitiated).async { body(false) }
    }
}
#endif
