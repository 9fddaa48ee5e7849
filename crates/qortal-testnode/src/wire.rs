//! What a connection to the node runs over: a port of the loopback interface, or memory.

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

/// The bytes under way in each direction of a connection in memory.
const IN_FLIGHT: usize = 64 * 1024;

/// A connection as the node sees it.
pub(crate) trait Wire: AsyncRead + AsyncWrite + fmt::Debug + Send + Unpin {
    /// Lets the other side see a reset when the connection is dropped.
    fn reset(&mut self) -> io::Result<()>;
}

impl Wire for TcpStream {
    fn reset(&mut self) -> io::Result<()> {
        self.set_zero_linger()
    }
}

/// Where connections come from.
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
                // Only a delay would be lost without it.
                let _ = stream.set_nodelay(true);
                Poll::Ready(Ok(Box::new(stream)))
            }
            // Without a dialer no one will come.
            Self::Memory(dialed) => match ready!(dialed.poll_recv(context)) {
                Some(stream) => Poll::Ready(Ok(Box::new(stream))),
                None => Poll::Pending,
            },
        }
    }
}

/// A connection in memory. What is reset at one end fails at the other.
#[derive(Debug)]
pub struct MemoryStream {
    stream: DuplexStream,
    is_reset: Arc<AtomicBool>,
}

impl MemoryStream {
    /// Both ends of a connection.
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
