//! The standard input and output of the process.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll},
};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// The process's standard input.
pub struct Input(Box<dyn AsyncRead + Send + Unpin>);

/// The process's standard output.
pub struct Output(Box<dyn AsyncWrite + Send + Unpin>);

/// Opens the process's standard input.
///
/// A pipe or a socket, which is what hosts use, is read without a blocking thread.
///
/// # Errors
/// Fails if it cannot be duplicated, or cannot be registered with the runtime.
pub fn stdin() -> io::Result<Input> {
    #[cfg(unix)]
    if let Some(input) = unix::stdin()? {
        return Ok(Input(input));
    }
    Ok(Input(Box::new(tokio::io::stdin())))
}

/// Opens the process's standard output.
///
/// A pipe or a socket, which is what hosts use, is written without a blocking thread.
///
/// # Errors
/// Fails if it cannot be duplicated, or cannot be registered with the runtime.
pub fn stdout() -> io::Result<Output> {
    #[cfg(unix)]
    if let Some(output) = unix::stdout()? {
        return Ok(Output(output));
    }
    Ok(Output(Box::new(tokio::io::stdout())))
}

#[cfg(unix)]
mod unix {
    use std::{
        io,
        os::{
            fd::{AsFd, OwnedFd},
            unix::{fs::FileTypeExt, net},
        },
        pin::Pin,
        task::{Context, Poll},
    };

    use tokio::{
        io::{AsyncRead, AsyncWrite},
        net::{UnixStream, unix::pipe},
    };

    enum Kind {
        Pipe,
        Socket,
        Other,
    }

    fn kind(fd: &OwnedFd) -> io::Result<Kind> {
        let file = std::fs::File::from(fd.try_clone()?);
        let file_type = file.metadata()?.file_type();
        Ok(if file_type.is_fifo() {
            Kind::Pipe
        } else if file_type.is_socket() {
            Kind::Socket
        } else {
            Kind::Other
        })
    }

    fn socket(fd: OwnedFd) -> io::Result<UnixStream> {
        let stream = net::UnixStream::from(fd);
        // Fails for anything but a Unix socket, which is then written by a blocking thread.
        stream.local_addr()?;
        stream.set_nonblocking(true)?;
        UnixStream::from_std(stream)
    }

    pub(super) fn stdin() -> io::Result<Option<Box<dyn AsyncRead + Send + Unpin>>> {
        let fd = io::stdin().as_fd().try_clone_to_owned()?;
        Ok(match kind(&fd)? {
            Kind::Pipe => Some(Box::new(pipe::Receiver::from_owned_fd(fd)?)),
            Kind::Socket => socket(fd).ok().map(|it| Box::new(it) as _),
            Kind::Other => None,
        })
    }

    pub(super) fn stdout() -> io::Result<Option<Box<dyn AsyncWrite + Send + Unpin>>> {
        let fd = io::stdout().as_fd().try_clone_to_owned()?;
        Ok(match kind(&fd)? {
            Kind::Pipe => Some(Box::new(PipeWriter(Some(pipe::Sender::from_owned_fd(fd)?)))),
            Kind::Socket => socket(fd).ok().map(|it| Box::new(it) as _),
            Kind::Other => None,
        })
    }

    /// A pipe that is made blocking again on drop: other processes may share it and expect it to block.
    struct PipeWriter(Option<pipe::Sender>);

    impl PipeWriter {
        fn sender(&mut self) -> io::Result<Pin<&mut pipe::Sender>> {
            let sender = self.0.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
            Ok(Pin::new(sender))
        }
    }

    impl Drop for PipeWriter {
        fn drop(&mut self) {
            if let Some(Err(err)) = self.0.take().map(pipe::Sender::into_blocking_fd) {
                tracing::debug!(%err, "the output remains non-blocking");
            }
        }
    }

    impl AsyncWrite for PipeWriter {
        fn poll_write(
            mut self: Pin<&mut Self>,
            cx: &mut Context<'_>,
            bytes: &[u8],
        ) -> Poll<io::Result<usize>> {
            self.sender()?.poll_write(cx, bytes)
        }

        fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
            self.sender()?.poll_flush(cx)
        }

        fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
            self.sender()?.poll_shutdown(cx)
        }
    }
}

impl AsyncRead for Input {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(cx, buffer)
    }
}

impl AsyncWrite for Output {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(cx)
    }
}

impl std::fmt::Debug for Input {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Input")
    }
}

impl std::fmt::Debug for Output {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Output")
    }
}
