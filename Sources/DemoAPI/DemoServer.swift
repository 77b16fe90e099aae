import FlyingFox

/// The demo API on a loopback port.
public struct DemoServer: Sendable {
    let server: HTTPServer
}
