//! Transports of a connection to the node: a port of the loopback interface, or memory.

use std::{
    fmt, io,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, ready},
};

use tokio::{
    io::{AsyncRead, AsyncWrite, DuplexStream, ReadBuf, duplex},
    net::{TcpListener, TcpStream},
    sync::mpsc,
};

/// Buffer size in each direction of a connection in memory, in bytes.
const IN_FLIGHT: usize = 64 * 1024;

/// The node's end of a connection.
pub(crate) trait Wire: AsyncRead + AsyncWrite + fmt::Debug + Send + Unpin {
    /// Makes the other side see a reset when the connection is dropped.
    fn reset(&mut self) -> io::Result<()>;
}

impl Wire for TcpStream {
    fn reset(&mut self) -> io::Result<()> {
        self.set_zero_linger()
    }
}

/// Source of connections.
#[derive(Debug)]
pub(crate) enum Listener {
    Port(TcpListener),
    Memory(mpsc::UnboundedReceiver<MemoryStream>),
}

impl Listener {
    pub(crate) fn poll_accept(
        &mut self,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<Box<dyn Wire>>> {
        match self {
            Self::Port(listener) => {
                let (stream, _) = ready!(listener.poll_accept(context))?;
                // A failure only causes a delay.
                let _ = stream.set_nodelay(true);
                Poll::Ready(Ok(Box::new(stream)))
            }
            // Without a dialer there are no further connections.
            Self::Memory(dialed) => match ready!(dialed.poll_recv(context)) {
                Some(stream) => Poll::Ready(Ok(Box::new(stream))),
                None => Poll::Pending,
            },
        }
    }
}

/// A connection in memory. A reset at one end is an error at the other.
#[derive(Debug)]
pub struct MemoryStream {
    stream: DuplexStream,
    is_reset: Arc<AtomicBool>,
}

impl MemoryStream {
    /// Returns both ends of a connection.
    pub(crate) fn pair() -> (Self, Self) {
        let is_reset = Arc::new(AtomicBool::new(false));
        let (one, other) = duplex(IN_FLIGHT);
        let end = |stream| Self {
            stream,
            is_reset: Arc::clone(&is_reset),
        };
        (end(one), end(other))
    }

    fn check(&self) -> io::Result<()> {
        match self.is_reset.load(Ordering::Relaxed) {
            true => Err(io::ErrorKind::ConnectionReset.into()),
            false => Ok(()),
        }
    }
}

impl Wire for MemoryStream {
    fn reset(&mut self) -> io::Result<()> {
        self.is_reset.store(true, Ordering::Relaxed);
        Ok(())
    }
}

impl AsyncRead for MemoryStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let read = ready!(Pin::new(&mut self.stream).poll_read(context, buffer));
        Poll::Ready(self.check().and(read))
    }
}

impl AsyncWrite for MemoryStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = ready!(Pin::new(&mut self.stream).poll_write(context, bytes));
        Poll::Ready(self.check().and(written))
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
